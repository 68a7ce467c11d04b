-- Why: one screen holds what an organisation is: its name and public address, its stores, its plan, and what each member
-- wants to be told. It is read with one call. An address that is given up leads to the new one, since it stands on
-- posters; two people who save at once do not overwrite each other; and nobody asks for text messages without a number
-- that was proven to be theirs.

-- The organisation's name and address --------------------------------------------------------------

alter table public.organizations add column version integer not null default 1 check (version >= 1);
comment on column public.organizations.version is
  'Rises with every change of name or slug: whoever saves an older version is told, and overwrites nothing.';

create table public.organization_slug_redirects (
  slug text primary key check (private.is_slug(slug)),
  org_id uuid not null references public.organizations (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index organization_slug_redirects_org_idx on public.organization_slug_redirects (org_id);
comment on table public.organization_slug_redirects is 'Former slugs of organisations: printed addresses live on after a renaming.';
comment on column public.organization_slug_redirects.slug is 'Former slug.';
comment on column public.organization_slug_redirects.org_id is 'Organisation that it leads to.';
comment on column public.organization_slug_redirects.created_at is 'When it was given up.';
alter table public.organization_slug_redirects enable row level security;
grant select on public.organization_slug_redirects to authenticated;
grant select, insert, update, delete on public.organization_slug_redirects to service_role;
create policy "Members read the former slugs of their organisation" on public.organization_slug_redirects
  for select to authenticated using (org_id = any (array(select private.my_org_ids())));

create function private.refuse_former_slug() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_slug text;
begin
  -- Whoever takes a slug and whoever gives it up at the same instant take turns, always in the same order.
  for v_slug in
    select distinct s from unnest(array[new.slug, case when tg_op = 'UPDATE' then old.slug end]) s where s is not null order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended('organization slug ' || v_slug, 0));
  end loop;
  if exists (
    select 1 from public.organization_slug_redirects r where r.slug = new.slug and r.org_id <> new.id
  ) then
    raise exception 'slug_taken' using errcode = '23505', constraint = 'organizations_slug_key';
  end if;
  return new;
end;
$$;
comment on function private.refuse_former_slug() is
  'Refuses a slug that another organisation had: its posters would lead to a stranger. Error 23505.';
create trigger refuse_former_slug_on_insert before insert on public.organizations
  for each row execute function private.refuse_former_slug();
create trigger refuse_former_slug_on_update before update of slug on public.organizations
  for each row when (old.slug is distinct from new.slug) execute function private.refuse_former_slug();

create function private.keep_former_organization_slug() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.organization_slug_redirects r where r.slug = new.slug and r.org_id = new.id;
  insert into public.organization_slug_redirects (slug, org_id) values (old.slug, new.id);
  return null;
end;
$$;
comment on function private.keep_former_organization_slug() is 'Leaves a redirect from the slug that an organisation gives up.';
create trigger keep_former_organization_slug after update of slug on public.organizations
  for each row when (old.slug is distinct from new.slug) execute function private.keep_former_organization_slug();

create function private.bump_organization_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end;
$$;
comment on function private.bump_organization_version() is 'Numbers the versions of an organisation''s name and slug.';
create trigger bump_organization_version before update of name, slug on public.organizations
  for each row when ((old.name, old.slug) is distinct from (new.name, new.slug))
  execute function private.bump_organization_version();

create or replace function public.is_slug_free(p_kind text, p_slug text, p_owner_id uuid default null) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  if (select private.my_user_id()) is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return case p_kind
    when 'organization' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.organizations o
        where o.slug = p_slug and o.id <> all (array(select private.my_org_ids()))
      ) and not exists (
        select 1 from public.organization_slug_redirects r
        where r.slug = p_slug and r.org_id <> all (array(select private.my_org_ids()))
      )
    when 'store' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.stores s
        where s.org_id = any (array(select private.my_org_ids('stores.read'))) and s.slug = p_slug
          and s.id is distinct from p_owner_id
      )
    when 'campaign' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.campaigns c where c.slug = p_slug and c.id is distinct from p_owner_id
      ) and not exists (
        select 1 from public.campaign_slug_redirects r where r.slug = p_slug and r.campaign_id is distinct from p_owner_id
      )
  end;
end;
$$;
comment on function public.is_slug_free(text, text, uuid) is
  'Whether an organisation or a campaign (over the whole platform, former addresses included) or a store (within one''s '
  'organisation) may take a slug; the owner is the store or campaign that would take it, null for a new one. False when '
  'it is no slug, null for another kind. Kind, to be told early: the constraints decide.';

create or replace function public.organization_page(p_slug text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'name', o.name,
    'slug', o.slug,
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'slug', c.slug, 'name', c.name, 'store_name', s.name, 'ends_at', c.ends_at
      ) order by c.created_at desc, c.id)
      from public.campaigns c
      join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      where c.org_id = o.id and c.active and private.is_running(c, u)
    ), '[]'::jsonb)
  )
  from public.organizations o
  join public.subscriptions u on u.org_id = o.id
  where o.id = (
      select n.id
      from (
        select g.id, 0 as rank from public.organizations g where g.slug = p_slug
        union all
        select r.org_id, 1 from public.organization_slug_redirects r where r.slug = p_slug
      ) n
      order by n.rank limit 1
    )
    and private.is_open(u);
$$;
comment on function public.organization_page(text) is
  'An organisation''s open campaigns, newest first, for /org/{slug}, by present or former slug; null when it is unknown or '
  'closed.';

-- What a member wants to be told -------------------------------------------------------------------

alter table public.notification_preferences
  add column low_ratings boolean not null default false,
  add column summary text not null default 'none' check (summary in ('none', 'daily', 'weekly')),
  add column next_summary_at timestamptz,
  add column unsubscribe_token uuid not null default gen_random_uuid() unique,
  add check ((next_summary_at is null) = (summary = 'none' or not email));
create index notification_preferences_due_idx on public.notification_preferences (next_summary_at)
  where next_summary_at is not null;
create index notification_preferences_alert_idx on public.notification_preferences (org_id) where low_ratings;
comment on column public.notification_preferences.low_ratings is
  'Whether to be told at once of a review of 3 stars or fewer, by the channels that are on.';
comment on column public.notification_preferences.summary is 'Summary of the figures by e-mail: none, daily or weekly.';
comment on column public.notification_preferences.next_summary_at is
  'When the next summary is due; null without one. It moves on in the transaction that writes the mail: one a period.';
comment on column public.notification_preferences.unsubscribe_token is
  'Names this row in the link of a mail that says « no more »; it opens nothing else.';

create function private.proven_phone(p_user_id uuid) returns text
language sql stable
as $$
  select coalesce(
    (select nullif(u.phone, '') from auth.users u where u.id = p_user_id and u.phone_confirmed_at is not null),
    (select f.phone from auth.mfa_factors f
     where f.user_id = p_user_id and f.factor_type = 'phone' and f.status = 'verified' order by f.created_at limit 1));
$$;
comment on function private.proven_phone(uuid) is
  'A number that the user has proven to be theirs: the account''s, else that of a second factor; null without one.';

create function private.next_summary(p_summary text, p_timezone text, p_after timestamptz) returns timestamptz
language sql stable
as $$
  select (d.start + interval '8 hours'
    -- Added to the wall clock: a day there has 23 or 25 hours now and then.
    + case when d.start + interval '8 hours' > d.local then interval '0' else d.length end) at time zone p_timezone
  from (
    select t.local, date_trunc(case p_summary when 'daily' then 'day' else 'week' end, t.local) as start,
      case p_summary when 'daily' then interval '1 day' else interval '7 days' end as length
    from (select p_after at time zone p_timezone as local) t
  ) d
  where p_summary in ('daily', 'weekly');
$$;
comment on function private.next_summary(text, text, timestamptz) is
  'When the next summary after a moment is due: at 8 in the morning there, every day or on Mondays; null for none.';

-- Written through a function alone: a channel needs its proof, and a summary its date.
drop policy "Members add their own notification preferences" on public.notification_preferences;
drop policy "Members change their own notification preferences" on public.notification_preferences;
revoke insert, update on public.notification_preferences from authenticated;
revoke insert (org_id, user_id, email, sms), update (email, sms) on public.notification_preferences from authenticated;

create function public.save_notifications(p_org_id uuid, p_email boolean, p_sms boolean, p_low_ratings boolean, p_summary text)
returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids())) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_sms and private.proven_phone(v_user_id) is null then
    raise exception 'phone_required' using errcode = 'TV105';
  end if;
  insert into public.notification_preferences as n (org_id, user_id, email, sms, low_ratings, summary, next_summary_at)
  values (p_org_id, v_user_id, p_email, p_sms, p_low_ratings, p_summary,
    case when p_email then private.next_summary(p_summary, private.timezone_of(p_org_id), now()) end)
  on conflict (org_id, user_id) do update set
    email = excluded.email, sms = excluded.sms, low_ratings = excluded.low_ratings, summary = excluded.summary,
    -- Saved once more, the next summary keeps its date.
    next_summary_at = case
      when n.summary = excluded.summary and n.email = excluded.email then n.next_summary_at
      else excluded.next_summary_at
    end;
end;
$$;
comment on function public.save_notifications(uuid, boolean, boolean, boolean, text) is
  'Saves what the signed-in member wants to be told: channels (e-mail, SMS), an alert for reviews of 3 stars or fewer, and '
  'a summary (none, daily, weekly). Errors: 42501 to members of another organisation, TV105 text messages without a '
  'proven number, 23514 another word for the summary, 23502 a null.';
grant execute on function public.save_notifications(uuid, boolean, boolean, boolean, text) to authenticated;

-- The screen ---------------------------------------------------------------------------------------

create function public.settings(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_permissions text[];
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('stores.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select array_agg(p.permission) into v_permissions
  from public.organization_members m join public.role_permissions p on p.role = m.role
  where m.org_id = p_org_id and m.user_id = v_user_id;

  return jsonb_build_object(
    'organization', (
      select jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'version', o.version, 'created_at', o.created_at)
      from public.organizations o where o.id = p_org_id),
    'stores', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'address', s.address, 'review_mode', s.review_mode,
        'google_review_url', s.google_review_url, 'has_history', private.has_store_history(p_org_id, s.id),
        'campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.store_id = s.id),
        'active_campaigns', (select count(*) from public.campaigns c
          where c.org_id = p_org_id and c.store_id = s.id and c.active)) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id and s.archived_at is null), '[]'::jsonb),
    'subscription', (
      select jsonb_build_object('plan', s.plan, 'status', s.status, 'trial_end', s.trial_end,
        'current_period_end', s.current_period_end,
        'customer_id', case when 'billing.manage' = any (v_permissions) then s.stripe_customer_id end)
      from public.subscriptions s where s.org_id = p_org_id),
    'notifications', (
      select jsonb_build_object('email', coalesce(n.email, true), 'sms', coalesce(n.sms, false),
        'low_ratings', coalesce(n.low_ratings, false), 'summary', coalesce(n.summary, 'none'),
        'address', u.email, 'has_phone', private.proven_phone(u.id) is not null)
      from auth.users u
      left join public.notification_preferences n on n.org_id = p_org_id and n.user_id = u.id
      where u.id = v_user_id)
  );
end;
$$;
comment on function public.settings(uuid) is
  'What the settings of an organisation show (specification, section 2.19), for a member who may read its stores and its '
  'activity: name, address and version; stores in use; plan (the provider''s customer only to those who manage billing), '
  'null without one; and what the reader wants to be told. The shape is settings of _shared/domain. Error 42501 otherwise.';
grant execute on function public.settings(uuid) to authenticated;
