-- Brand: a merchant's logo and colour in the place of the product's name.
--
-- The files are in the platform's storage, by organisation, and only what the server has read, measured and written anew
-- is ever public. The plan decides here whether customers see it, so that it goes with the plan and comes back with it.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('logos', 'logos', true, 262144, '{image/webp}'),
  ('logo-uploads', 'logo-uploads', false, 2097152, '{image/png,image/jpeg,image/webp}')
on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create table public.organization_brands (
  org_id uuid primary key references public.organizations (id) on delete cascade,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  logo text check (logo ~ '^[0-9a-f]{32}$'),
  logo_width smallint check (logo_width between 1 and 1000),
  logo_height smallint check (logo_height between 1 and 1000),
  updated_at timestamptz not null default now(),
  check (num_nulls(logo, logo_width, logo_height) in (0, 3))
);
comment on table public.organization_brands is
  'Logo and colour of an organisation, for its customers'' pages and its posters; shown while the plan includes it.';
comment on column public.organization_brands.org_id is 'Whose brand it is.';
comment on column public.organization_brands.color is
  'As the merchant chose it (#rrggbb, lower case); pages darken it until it can be read. Null: the product''s own.';
comment on column public.organization_brands.logo is
  'Mark of its contents, which names its files in the bucket logos: {org_id}/{logo}.webp for pages, {org_id}/{logo}-print.webp '
  'for paper. Null without one.';
comment on column public.organization_brands.logo_width is 'Width of the picture for pages, in pixels.';
comment on column public.organization_brands.logo_height is 'Height of the picture for pages, in pixels.';
comment on column public.organization_brands.updated_at is 'When something of it was last changed.';

create function private.may_upload_logo(p_name text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  if p_name is null or p_name !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    return false;
  end if;
  v_org_id := split_part(p_name, '/', 1)::uuid;
  return v_org_id in (select private.my_org_ids('organization.update'))
    and private.has_feature(v_org_id, 'white_label')
    -- Uploads are removed within seconds (by the function brand_logo, else by the job sweep_files): five at once are
    -- enough.
    and (select count(*) from storage.objects o
      where o.bucket_id = 'logo-uploads' and o.name like v_org_id || '/%') < 5;
-- A policy can only refuse; the function brand_logo, which is called next, says why.
exception when sqlstate 'TV010' or sqlstate 'TV011' or sqlstate 'TV085' or sqlstate 'TV190' or sqlstate 'TV191' then
  return false;
end;
$$;
comment on function private.may_upload_logo(text) is
  'Whether the signed-in user may put a picture under this name of the bucket logo-uploads: {organisation}/{UUID}, theirs, '
  'with the permission organization.update and a plan in force that shows the merchant''s brand; five at once.';
grant execute on function private.may_upload_logo(text) to authenticated;

create function private.stored_brand(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'color', b.color,
    'logo', case when b.logo is not null then jsonb_build_object(
      'path', b.org_id || '/' || b.logo || '.webp',
      'print_path', b.org_id || '/' || b.logo || '-print.webp',
      'width', b.logo_width, 'height', b.logo_height) end)
  from public.organization_brands b
  where b.org_id = p_org_id and (b.color is not null or b.logo is not null);
$$;
comment on function private.stored_brand(uuid) is
  'Colour and logo of an organisation, with the paths of its files in the bucket logos; null without either. The shape is '
  'brand of _shared/domain.';

create function private.brand(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select case when private.has_feature(p_org_id, 'white_label') then private.stored_brand(p_org_id) end;
$$;
comment on function private.brand(uuid) is
  'The brand that customers see: that of the organisation while its plan includes it, else null.';

create function public.brand_settings(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('stores.read')))
    -- Asked of the role, not of the plan: what was set up stays readable once the plan is over.
    or not exists (
      select 1 from public.organization_members m
      where m.user_id = (select private.my_user_id()) and m.org_id = p_org_id
        and private.role_may(m.role, 'organization.update'))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return (
    select jsonb_build_object('organization', o.name, 'slug', o.slug,
      'included', private.has_feature(o.id, 'white_label'), 'brand', private.stored_brand(o.id),
      'campaign_slug', (
        select c.slug
        from public.campaigns c
        join public.subscriptions u on u.org_id = c.org_id
        where c.org_id = o.id and c.active and private.is_running(c, u)
        order by c.created_at desc, c.id
        limit 1
      ))
    from public.organizations o where o.id = p_org_id);
end;
$$;
comment on function public.brand_settings(uuid) is
  'Data of the screen « Votre marque »: the organisation''s name and address, that of its newest running campaign, its brand, '
  'and whether its plan shows it to customers. The shape is brandSettings of _shared/domain. Error 42501 without the '
  'permission organization.update there.';
grant execute on function public.brand_settings(uuid) to authenticated;

create function private.note_brand(p_org_id uuid, p_user_id uuid, p_action text) returns void
language sql volatile set search_path = ''
as $$
  select private.audit_as(p_org_id, p_user_id, p_action, 'organization', p_org_id,
    (select jsonb_build_object('name', o.name) from public.organizations o where o.id = p_org_id));
$$;
comment on function private.note_brand(uuid, uuid, text) is 'Writes into the audit trail what a user changed of the brand.';

create function public.save_brand_color(p_org_id uuid, p_color text default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('organization.update'))) then
    raise exception 'forbidden' using errcode = '42501';
  elsif not private.has_feature(p_org_id, 'white_label') then
    raise exception 'brand_not_in_plan' using errcode = 'TV150';
  end if;
  insert into public.organization_brands as b (org_id, color) values (p_org_id, lower(p_color))
  on conflict (org_id) do update set color = excluded.color, updated_at = now()
  where b.color is distinct from excluded.color;
  if found then
    perform private.note_brand(p_org_id, private.my_user_id(), 'brand.color_changed');
  end if;
end;
$$;
comment on function public.save_brand_color(uuid, text) is
  'Sets the colour that an organisation''s customers see (#rrggbb; null: the product''s own). Errors: 42501 without the '
  'permission organization.update there; TV085 the plan is no longer in force; TV150 it does not include a brand; 23514 '
  'it is no colour.';
grant execute on function public.save_brand_color(uuid, text) to authenticated;

create function public.begin_brand_logo(p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_refusal text := private.session_refusal(p_user_id, p_session_id, p_aal);
begin
  if v_refusal is not null then
    return v_refusal;
  elsif not exists (
    select 1 from public.organization_members m
    where m.user_id = p_user_id and m.org_id = p_org_id and private.role_may(m.role, 'organization.update')
  ) then
    return 'forbidden';
  end if;
  v_refusal := (select private.closed_reason(s) from public.subscriptions s where s.org_id = p_org_id);
  if v_refusal is not null then
    return v_refusal;
  elsif not private.has_feature(p_org_id, 'white_label') then
    return 'not_in_plan';
  -- One at a time for an organisation, two for everybody: a picture costs memory and a processor while it is read.
  elsif not pg_try_advisory_xact_lock(hashtextextended('logo of ' || p_org_id, 0))
    or not (pg_try_advisory_xact_lock(hashtextextended('logo 1', 0))
      or pg_try_advisory_xact_lock(hashtextextended('logo 2', 0)))
  then
    return 'busy';
  end if;
  return 'started';
end;
$$;
comment on function public.begin_brand_logo(uuid, uuid, text, uuid) is
  'Whether a user whose token names a session and an assurance level may change an organisation''s logo now; the place is '
  'held until the transaction ends. Answers started, or why not: session_ended, second_factor_required, forbidden, a reason of '
  'private.closed_reason, not_in_plan, busy (other pictures are being read).';
grant execute on function public.begin_brand_logo(uuid, uuid, text, uuid) to service_role;

create function public.set_brand_logo(
  p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid, p_logo text, p_width integer, p_height integer
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if public.begin_brand_logo(p_user_id, p_session_id, p_aal, p_org_id) <> 'started' then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  insert into public.organization_brands as b (org_id, logo, logo_width, logo_height)
  values (p_org_id, p_logo, p_width, p_height)
  on conflict (org_id) do update
    set logo = excluded.logo, logo_width = excluded.logo_width, logo_height = excluded.logo_height, updated_at = now()
  where b.logo is distinct from excluded.logo;
  if found then
    perform private.note_brand(p_org_id, p_user_id,
      case when p_logo is null then 'brand.logo_removed' else 'brand.logo_changed' end);
  end if;
end;
$$;
comment on function public.set_brand_logo(uuid, uuid, text, uuid, text, integer, integer) is
  'Makes the files of this name an organisation''s logo (null: it has none any more), in the transaction of '
  'begin_brand_logo. Error 42501 to whomever begin_brand_logo would refuse.';
grant execute on function public.set_brand_logo(uuid, uuid, text, uuid, text, integer, integer) to service_role;

create function public.stale_logo_files(p_org_id uuid) returns setof text
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- A change of the logo that holds this lock will look here as well.
  if not pg_try_advisory_xact_lock(hashtextextended('logo of ' || p_org_id, 0)) then
    return;
  end if;
  return query
  select o.name from storage.objects o
  where o.bucket_id = 'logos' and o.name like p_org_id || '/%'
    and not exists (
      select 1 from public.organization_brands b where b.org_id = p_org_id
        and o.name in (b.org_id || '/' || b.logo || '.webp', b.org_id || '/' || b.logo || '-print.webp'));
end;
$$;
comment on function public.stale_logo_files(uuid) is
  'Files of an organisation in the bucket logos that are not its logo. They are removed before the transaction ends, '
  'which keeps others from changing it meanwhile; none while somebody does.';
grant execute on function public.stale_logo_files(uuid) to service_role;

create function private.erase_files(p_bucket text, p_names text[]) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- Most names that one entry of the outbox has room for.
  c_at_once constant integer := 100;
  v_names text[];
  v_count integer;
begin
  -- Bytes that stand in the database go with the row.
  if to_regclass('storage.contents') is not null then
    delete from storage.objects o where o.bucket_id = p_bucket and o.name = any (p_names);
    get diagnostics v_count = row_count;
    return v_count;
  end if;
  -- On a hosted project they would be left behind: the storage itself removes both.
  v_names := array(
    select n.name from unnest(p_names) n (name)
    where not exists (
      select from private.outbox m
      where m.channel = 'file' and m.state = 'queued' and m.recipient = p_bucket and m.data -> 'names' ? n.name)
    order by n.name);
  v_count := cardinality(v_names);
  for v_first in 1 .. v_count by c_at_once loop
    -- The job sweep_files finds again within the hour what could not be removed by then.
    perform private.enqueue_message('file', 'remove', p_bucket,
      jsonb_build_object('names', v_names[v_first : v_first + c_at_once - 1]), now() + interval '1 hour');
  end loop;
  return v_count;
end;
$$;
comment on function private.erase_files(text, text[]) is
  'Takes files out of a bucket, or has them taken out on a hosted project; answers how many.';

create function private.erase_organization_files() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.erase_files(o.bucket_id, array_agg(o.name))
  from storage.objects o
  where o.bucket_id in ('logos', 'logo-uploads') and o.name like old.id || '/%'
  group by o.bucket_id;
  return null;
end;
$$;
comment on function private.erase_organization_files() is 'The files of an organisation go with it.';
create trigger erase_organization_files after delete on public.organizations
  for each row execute function private.erase_organization_files();

create function private.sweep_files(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
begin
  return coalesce((
    select sum(private.erase_files(f.bucket_id, f.names))
    from (
      select s.bucket_id, array_agg(s.name) as names
      from (
        select o.bucket_id, o.name from storage.objects o
        where o.bucket_id in ('logos', 'logo-uploads') and o.created_at < now() - interval '1 hour'
          and not exists (
            select 1 from public.organization_brands b
            where o.bucket_id = 'logos' and b.org_id::text = split_part(o.name, '/', 1)
              and split_part(o.name, '/', 2) in (b.logo || '.webp', b.logo || '-print.webp'))
        limit p_limit
      ) s
      group by s.bucket_id
    ) f
  ), 0);
end;
$$;
comment on function private.sweep_files(integer) is
  'Job: pictures that were uploaded and never became a logo, and logos that no organisation has any more, go after an hour: '
  'what a process that died in between left behind.';
insert into private.jobs (name, run_every) values ('sweep_files', interval '1 hour');

-- Permissions -------------------------------------------------------------------------------------

alter table public.organization_brands enable row level security;
revoke all on public.organization_brands from anon;
revoke all on public.organization_brands from authenticated;
grant select on public.organization_brands to authenticated;
create policy "Members read the brand of their organisation" on public.organization_brands
  for select to authenticated using (org_id = (select private.my_org_ids()));

-- Nothing else is allowed: no user lists, reads, replaces or deletes files, and the server alone writes the bucket logos.
create policy "Those who manage an organisation upload pictures to become its logo" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'logo-uploads' and private.may_upload_logo(name));
