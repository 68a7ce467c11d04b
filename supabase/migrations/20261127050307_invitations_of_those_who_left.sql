-- Why: somebody who was taken out of a team, or had less power, came back by an invitation that they had made before.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.invitation_state(p_invitation private.invitations)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when p_invitation.id is null then 'unknown'
    when p_invitation.accepted_at is not null then 'accepted'
    when p_invitation.withdrawn_at is not null then 'withdrawn'
    -- A removed admin would come back by an invitation of their own.
    when not private.may_invite(p_invitation.org_id, p_invitation.invited_by, p_invitation.role) then 'withdrawn'
    when p_invitation.expires_at <= now() then 'expired'
    else 'open'
  end;
$function$;

CREATE OR REPLACE FUNCTION private.may_invite(p_org_id uuid, p_user_id uuid, p_role text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from public.organization_members m
    where m.org_id = p_org_id and m.user_id = p_user_id and private.role_may(m.role, 'team.manage')
      and not exists (
        select from public.role_permissions p where p.role = p_role and not private.role_may(m.role, p.permission)));
$function$;

CREATE OR REPLACE FUNCTION private.withdraw_powerless_invitations(p_org_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_gone record;
begin
  for v_gone in
    update private.invitations i set withdrawn_at = now()
    where i.org_id = p_org_id and i.accepted_at is null and i.withdrawn_at is null
      and not private.may_invite(i.org_id, i.invited_by, i.role)
    returning i.id, i.email, i.role
  loop
    perform private.audit(p_org_id, 'invitation.withdrawn', 'invitation', v_gone.id,
      jsonb_build_object('name', v_gone.email, 'role', v_gone.role));
  end loop;
end;
$function$;

CREATE OR REPLACE FUNCTION public.change_member_role(p_member_id uuid, p_role text, p_store_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := private.begin_team_change(array[p_role]);
  v_member constant public.organization_members := private.lock_member(v_org_id, p_member_id);
begin
  if private.role_may(v_member.role, 'owners.manage') and not private.role_may(p_role, 'owners.manage') then
    perform private.require_other_owner(v_org_id, p_member_id);
  end if;
  update public.organization_members m set role = p_role, store_id = private.till_store(v_org_id, p_role, p_store_id)
  where m.org_id = v_org_id and m.user_id = p_member_id;
  perform private.audit(v_org_id, 'member.role_changed', 'member', p_member_id,
    jsonb_build_object('name', private.user_name(p_member_id), 'former_role', v_member.role, 'role', p_role));
  perform private.withdraw_powerless_invitations(v_org_id);
end;
$function$;

CREATE OR REPLACE FUNCTION public.leave_organization()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_user_id();
  v_org_id uuid;
  v_role text;
begin
  select o into v_org_id from private.my_org_ids() o;
  perform private.lock_team(v_org_id);
  select m.role into v_role from public.organization_members m
  where m.org_id = v_org_id and m.user_id = v_user_id for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- An organisation that is ending may have no owner any more: that holds nobody else back.
  if private.role_may(v_role, 'owners.manage') then
    perform private.require_other_owner(v_org_id, v_user_id);
  end if;
  perform private.audit(v_org_id, 'member.left', 'member', v_user_id,
    jsonb_build_object('name', private.user_name(v_user_id), 'role', v_role));
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = v_user_id;
  perform private.withdraw_powerless_invitations(v_org_id);
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_member(p_member_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := private.begin_team_change();
  v_member constant public.organization_members := private.lock_member(v_org_id, p_member_id);
begin
  -- Owners are not removed (specification, section 6): another owner gives them another role first.
  if private.role_may(v_member.role, 'owners.manage') then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.audit(v_org_id, 'member.removed', 'member', p_member_id,
    jsonb_build_object('name', private.user_name(p_member_id), 'role', v_member.role));
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = p_member_id;
  perform private.withdraw_powerless_invitations(v_org_id);
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_role(p_name text, p_description text, p_permissions text[], p_role text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := private.begin_role_change(p_role);
  v_role constant text := coalesce(p_role, gen_random_uuid()::text);
  v_name constant text := private.clean_line(p_name);
  v_permissions constant text[] := private.expand_permissions(p_permissions);
begin
  if not (private.has_feature(v_org_id, 'custom_roles') and private.require_open_plan(v_org_id)) then
    raise exception 'roles_not_in_plan' using errcode = 'TV114';
  -- Permissions of administrators can be given; the rest is the owner's alone.
  elsif not v_permissions @> p_permissions or cardinality(v_permissions) = 0 or exists (
    select 1 from unnest(v_permissions) w where not private.role_may('admin', w)
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_role is null and (select count(*) from public.roles r where r.org_id = v_org_id) >= 20 then
    raise exception 'too_many_roles' using errcode = 'TV115';
  end if;
  insert into public.roles as r (role, org_id, name, description)
  values (v_role, v_org_id, v_name, private.clean_line(coalesce(p_description, '')))
  on conflict (role) do update set name = excluded.name, description = excluded.description;
  delete from public.role_permissions p where p.role = v_role and p.permission <> all (v_permissions);
  insert into public.role_permissions (role, org_id, permission)
  select v_role, v_org_id, w from unnest(v_permissions) w
  on conflict do nothing;
  perform private.audit(v_org_id, case when p_role is null then 'role.created' else 'role.updated' end, 'role',
    v_role::uuid, jsonb_build_object('name', v_name));
  perform private.withdraw_powerless_invitations(v_org_id);
  return v_role;
end;
$function$;

CREATE OR REPLACE FUNCTION public.transfer_ownership(p_member_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_user_id();
  v_org_id constant uuid := private.begin_team_change('{owner}');
begin
  perform private.lock_member(v_org_id, p_member_id);
  if p_member_id = v_user_id then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  update public.organization_members m set role = 'owner', store_id = null
  where m.org_id = v_org_id and m.user_id = p_member_id;
  update public.organization_members m set role = 'admin' where m.org_id = v_org_id and m.user_id = v_user_id;
  perform private.audit(v_org_id, 'organization.transferred', 'member', p_member_id,
    jsonb_build_object('name', private.user_name(p_member_id)));
  perform private.withdraw_powerless_invitations(v_org_id);
end;
$function$;

COMMENT ON FUNCTION "private"."may_invite"(uuid, uuid, text) IS 'Whether somebody is a member who manages the team and may do all that a role may do: else their invitations to it open nothing.';

COMMENT ON FUNCTION "private"."withdraw_powerless_invitations"(uuid) IS 'Withdraws the open invitations that those who made them could not make any more (private.may_invite), once a member or a role is less.';

REVOKE ALL ON FUNCTION "private"."may_invite"(uuid, uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."withdraw_powerless_invitations"(uuid) FROM PUBLIC;

-- Invitations of those who are gone already, or could not make them any more.
update private.invitations i set withdrawn_at = now()
where i.accepted_at is null and i.withdrawn_at is null and not private.may_invite(i.org_id, i.invited_by, i.role);
