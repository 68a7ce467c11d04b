-- Why: a role that saw all stores for a while forgot which till its people were bound to; taken back to the till alone, it
-- opened every till to them. A binding stays where it is and counts while the role has nothing but the till.

create function private.bound_store(p_role text, p_store_id uuid) returns uuid
language sql stable
as $$
  select case when not private.role_may(p_role, 'stores.read') then p_store_id end;
$$;
comment on function private.bound_store(text, uuid) is
  'The only store at whose till somebody of a role works, of the one that is kept for them; null for all, and for roles '
  'that see all stores.';
comment on column public.organization_members.store_id is
  'The only store at whose till the member works; null for all of them. Counts while the role has nothing but the till '
  '(private.bound_store).';
comment on column private.invitations.store_id is
  'The only store of a till''s role; null for all. Counts while the role has nothing but the till (private.bound_store).';

create or replace function public.save_role(
  p_name text, p_description text, p_permissions text[], p_role text default null
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.begin_role_change(p_role);
  v_role constant text := coalesce(p_role, gen_random_uuid()::text);
  v_permissions constant text[] := private.whole_permissions(p_permissions);
begin
  if not (private.has_feature(v_org_id, 'custom_roles') and private.demand_open(v_org_id)) then
    raise exception 'roles_not_in_plan' using errcode = 'TV114';
  -- What administrators may do can be given; the rest is the owner's alone.
  elsif not v_permissions @> p_permissions or cardinality(v_permissions) = 0 or exists (
    select 1 from unnest(v_permissions) w where not private.role_may('admin', w)
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_role is null and (select count(*) from public.roles r where r.org_id = v_org_id) >= 20 then
    raise exception 'too_many_roles' using errcode = 'TV115';
  end if;
  insert into public.roles as r (role, org_id, name, description)
  values (v_role, v_org_id, btrim(p_name), btrim(coalesce(p_description, '')))
  on conflict (role) do update set name = excluded.name, description = excluded.description;
  delete from public.role_permissions p where p.role = v_role and p.permission <> all (v_permissions);
  insert into public.role_permissions (role, org_id, permission)
  select v_role, v_org_id, w from unnest(v_permissions) w
  on conflict do nothing;
  perform private.audit(v_org_id, case when p_role is null then 'role.created' else 'role.updated' end, 'role',
    v_role::uuid, jsonb_build_object('name', btrim(p_name)));
  return v_role;
end;
$$;

-- Who asks for the store ---------------------------------------------------------------------------

create or replace function public.my_workspace() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (
      select jsonb_build_object(
        'organization', jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'erase_at', o.erase_at),
        'role', m.role,
        'permissions', coalesce(
          (select jsonb_agg(p.permission order by p.permission) from public.role_permissions p where p.role = m.role),
          '[]'::jsonb),
        'stores', coalesce(
          (select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
           from public.stores s
           where s.org_id = o.id and s.archived_at is null
             and s.id = coalesce(private.bound_store(m.role, m.store_id), s.id)),
          '[]'::jsonb),
        'has_campaign', exists (select 1 from public.campaigns c where c.org_id = o.id),
        'plan', (
          select jsonb_build_object('plan', s.plan, 'status', s.status, 'trial_end', s.trial_end,
            'current_period_end', s.current_period_end, 'past_due_since', s.past_due_since,
            'is_open', private.is_plan_open(s), 'readable_until', private.readable_until(s))
          from public.subscriptions s where s.org_id = o.id)
      )
      from public.organization_members m
      join public.organizations o on o.id = m.org_id
      where m.user_id = (select private.my_user_id())
    ),
    '{"organization": null, "role": null, "permissions": [], "stores": [], "has_campaign": false, "plan": null}'::jsonb
  );
$$;

create or replace function private.inspect_code(p_user_id uuid, p_code text, p_store_id uuid)
returns table (state text, redemption public.redemptions)
language plpgsql volatile
as $$
declare
  v_org_id uuid;
begin
  select m.org_id into v_org_id
  from public.organization_members m
  join public.role_permissions p on p.role = m.role and p.permission = 'codes.redeem'
  join public.stores s on s.org_id = m.org_id and s.id = p_store_id
  where m.user_id = p_user_id and p_store_id = coalesce(private.bound_store(m.role, m.store_id), p_store_id);
  if not found then
    return query select 'forbidden', null::public.redemptions;
  -- Whoever types codes at random is slowed down; a busy till is not.
  elsif private.take(array['code user ' || p_user_id::text], '{120}', interval '1 minute') is not null then
    return query select 'too_many_attempts', null::public.redemptions;
  else
    return query select * from private.code_at(v_org_id, p_store_id, p_code);
  end if;
end;
$$;

create function private.may_restore(p_used_at timestamptz) returns boolean
language sql stable
as $$ select p_used_at > now() - interval '10 minutes'; $$;
comment on function private.may_restore(timestamptz) is
  'Whether a code that was used then may still be given back (design, section 4).';

create or replace function public.restore_code(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_before public.redemptions;
  v_timezone text;
begin
  select * into v_before from public.redemptions r
  where r.org_id = any (array(select private.my_org_ids('codes.redeem'))) and r.id = p_id
  for no key update;
  if not found or exists (
    select 1 from public.organization_members m
    where m.user_id = (select private.my_user_id())
      and private.bound_store(m.role, m.store_id) <> v_before.used_store_id
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_before.status <> 'used' then
    raise exception 'code_not_used' using errcode = 'TV041';
  elsif not private.may_restore(v_before.used_at) then
    raise exception 'undo_too_late' using errcode = 'TV042';
  end if;
  update public.redemptions r set status = 'available', used_at = null, used_by = null, used_store_id = null
  where r.org_id = v_before.org_id and r.id = p_id;
  insert into public.redemption_events (org_id, redemption_id, action, user_id, store_id)
  values (v_before.org_id, p_id, 'restored', (select private.my_user_id()), v_before.used_store_id);
  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_before.org_id and s.id = v_before.store_id;
  perform private.count_event(v_before.org_id, v_before.campaign_id, v_before.store_id,
    (v_before.used_at at time zone v_timezone)::date, p_redemptions => -1);
end;
$$;

create or replace function private.team_members(p_org_id uuid) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', m.user_id, 'name', private.user_name(m.user_id), 'email', u.email, 'role', m.role, 'added_at', m.added_at,
    'store', case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end)
    order by array_position('{owner,admin,member,cashier}', m.role), m.added_at, m.user_id), '[]'::jsonb)
  from public.organization_members m
  join auth.users u on u.id = m.user_id
  left join public.stores s on s.org_id = m.org_id and s.id = private.bound_store(m.role, m.store_id)
  where m.org_id = p_org_id;
$$;

create or replace function private.team_invitations(p_org_id uuid) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'email', i.email, 'role', i.role, 'sent_at', i.sent_at, 'expires_at', i.expires_at,
    'is_expired', i.expires_at <= now(), 'inviter', private.user_name(i.invited_by),
    'store', case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end)
    order by i.created_at desc, i.id), '[]'::jsonb)
  from private.invitations i
  left join public.stores s on s.org_id = i.org_id and s.id = private.bound_store(i.role, i.store_id)
  where i.org_id = p_org_id and i.accepted_at is null and i.withdrawn_at is null;
$$;

create or replace function public.invitation_page(p_token text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_invitation private.invitations;
  v_state text;
  v_organization text;
begin
  select * into v_invitation from private.invitations i where i.token_hash = sha256(convert_to(p_token, 'UTF8'));
  v_state := private.invitation_state(v_invitation);
  select o.name into v_organization from public.organizations o where o.id = v_invitation.org_id;
  if v_state <> 'open' then
    return jsonb_build_object('state', v_state, 'organization', v_organization);
  end if;
  return jsonb_build_object('state', v_state, 'organization', v_organization, 'email', v_invitation.email,
    'role', v_invitation.role,
    'role_name', (select r.name from public.roles r where r.role = v_invitation.role),
    'role_description', (select r.description from public.roles r where r.role = v_invitation.role),
    'inviter', private.user_name(v_invitation.invited_by),
    'expires_at', v_invitation.expires_at,
    'store', (select s.name from public.stores s where s.org_id = v_invitation.org_id
      and s.id = private.bound_store(v_invitation.role, v_invitation.store_id)));
end;
$$;
