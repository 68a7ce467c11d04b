-- Why: a merchant's first steps are several writes (organisation, owner, subscription, preferences). Done one by one
-- from a browser they can stop half-way, and two clicks at once make two organisations. Each step is one function
-- here: all of it or nothing, once.

-- What every screen starts from ------------------------------------------------------------------

-- The plan comes along: its badge, its banner and its limits are on every screen of the back-office.
create or replace function public.my_workspace() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (
      select jsonb_build_object(
        'organization', jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug),
        'role', m.role,
        'permissions', coalesce(
          (select jsonb_agg(p.permission order by p.permission) from public.role_permissions p where p.role = m.role),
          '[]'::jsonb),
        'stores', coalesce(
          (select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
           from public.stores s where s.org_id = o.id and s.archived_at is null),
          '[]'::jsonb),
        'has_campaign', exists (select 1 from public.campaigns c where c.org_id = o.id),
        'plan', (
          select jsonb_build_object('plan', s.plan, 'status', s.status, 'trial_end', s.trial_end,
            'current_period_end', s.current_period_end, 'is_open', private.is_open(s))
          from public.subscriptions s where s.org_id = o.id)
      )
      from public.organization_members m
      join public.organizations o on o.id = m.org_id
      where m.user_id = (select private.my_user_id())
    ),
    '{"organization": null, "role": null, "permissions": [], "stores": [], "has_campaign": false, "plan": null}'::jsonb
  );
$$;
comment on function public.my_workspace() is
  'Organisation, role, permissions, stores, plan and progress of the signed-in user: what every screen starts from. A '
  'cashier reads the names of the stores here and in no table. Errors TV010 and TV011 tell a page where to send the person.';

-- Step 1: the organisation -----------------------------------------------------------------------

create function private.add_owner(p_org_id uuid, p_user_id uuid) returns void
language plpgsql volatile
as $$
declare
  v_constraint text;
begin
  insert into public.organization_members (org_id, user_id, role) values (p_org_id, p_user_id, 'owner');
  insert into public.notification_preferences (org_id, user_id) values (p_org_id, p_user_id);
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'organization_members_user_id_key' then
      raise exception 'already_member' using errcode = 'TV020';
    end if;
    raise exception 'member_failed' using errcode = 'TV021', detail = sqlstate;
  when others then
    raise exception 'member_failed' using errcode = 'TV021', detail = sqlstate;
end;
$$;
comment on function private.add_owner(uuid, uuid) is
  'Makes a user the owner of a new organisation. Error TV020 to a member of another one, TV021 with the SQLSTATE as '
  'detail when it fails otherwise.';

create function private.start_trial(p_org_id uuid) returns void
language plpgsql volatile
as $$
begin
  insert into public.subscriptions (org_id, plan, status, trial_end)
  values (p_org_id, 'free_trial', 'active', now() + interval '14 days');
exception
  when others then
    raise exception 'subscription_failed' using errcode = 'TV022', detail = sqlstate;
end;
$$;
comment on function private.start_trial(uuid) is
  'Starts the free trial of 14 days (specification, section 4.4). Error TV022 with the SQLSTATE as detail when it fails.';

create function public.create_organization(p_name text, p_slug text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_org public.organizations;
begin
  -- Whoever has proven neither an address nor a number is nobody yet.
  if not exists (
    select 1 from auth.users u
    where u.id = v_user_id and (u.email_confirmed_at is not null or u.phone_confirmed_at is not null)
  ) then
    raise exception 'not_confirmed' using errcode = '42501';
  end if;
  -- Two clicks take turns, so that the second learns what the first has done.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || v_user_id, 0));
  if exists (select 1 from public.organization_members m where m.user_id = v_user_id) then
    raise exception 'already_member' using errcode = 'TV020';
  end if;
  insert into public.organizations (name, slug) values (btrim(p_name), p_slug) returning * into v_org;
  perform private.add_owner(v_org.id, v_user_id);
  perform private.start_trial(v_org.id);
  return jsonb_build_object('id', v_org.id, 'name', v_org.name, 'slug', v_org.slug);
end;
$$;
comment on function public.create_organization(text, text) is
  'Makes an organisation with its owner, free trial and notification preferences: all of it or nothing, and one a user, '
  'whatever happens at once. Errors: 42501 without a confirmed address or number, TV020 already a member, 23505 the slug '
  'is taken, 23514 or 23502 name or slug are not well formed, TV021 the membership and TV022 the subscription failed.';

-- Step 2: the store ------------------------------------------------------------------------------

create function private.enforce_store_limit() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_multi_store boolean;
begin
  -- The lock makes two stores opened at once count each other.
  select l.multi_store into v_is_multi_store
  from public.subscriptions s join public.plan_limits l on l.plan = s.plan
  where s.org_id = new.org_id
  for no key update of s;
  if not coalesce(v_is_multi_store, false) and exists (
    select 1 from public.stores s
    where s.org_id = new.org_id and s.archived_at is null and s.id <> new.id
  ) then
    raise exception 'store_limit_reached' using errcode = 'TV003', detail = '1';
  end if;
  return new;
end;
$$;
comment on function private.enforce_store_limit() is
  'Refuses a second store to a plan without several (plan_limits.multi_store). Error TV003, with the limit as detail.';
create trigger enforce_store_limit_on_insert before insert on public.stores
  for each row when (new.archived_at is null) execute function private.enforce_store_limit();
create trigger enforce_store_limit_on_update before update of archived_at on public.stores
  for each row when (new.archived_at is null and old.archived_at is not null)
  execute function private.enforce_store_limit();

create function public.create_store(
  p_name text, p_slug text, p_address text, p_google_review_url text, p_review_mode text
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
  v_store public.stores;
begin
  select o into v_org_id from private.my_org_ids() o;
  if v_org_id is null then
    raise exception 'no_organization' using errcode = 'TV023';
  end if;
  if v_org_id not in (select private.my_org_ids('stores.write')) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  insert into public.stores (org_id, name, slug, address, google_review_url, review_mode)
  values (v_org_id, btrim(p_name), p_slug, btrim(p_address), nullif(btrim(p_google_review_url), ''),
    coalesce(p_review_mode, 'compliant'))
  returning * into v_store;
  return jsonb_build_object('id', v_store.id, 'name', v_store.name, 'slug', v_store.slug);
end;
$$;
comment on function public.create_store(text, text, text, text, text) is
  'Adds a store to the signed-in member''s organisation. Errors: TV023 member of none, 42501 without the permission '
  'stores.write, 23505 the organisation has a store with that slug, TV003 the plan has one store, 23514 or 23502 '
  'something is not well formed.';

-- While a slug is typed --------------------------------------------------------------------------

create function public.is_slug_free(p_kind text, p_slug text) returns boolean
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
      )
    when 'store' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.stores s
        where s.org_id = any (array(select private.my_org_ids('stores.read'))) and s.slug = p_slug
      )
  end;
end;
$$;
comment on function public.is_slug_free(text, text) is
  'Whether an organisation (over the whole platform; one''s own does not count) or a store (within one''s organisation) '
  'may take a slug; false when it is none, null for another kind. Kind, to be told early: the constraints decide.';

grant execute on function public.create_organization(text, text),
  public.create_store(text, text, text, text, text), public.is_slug_free(text, text) to authenticated;
