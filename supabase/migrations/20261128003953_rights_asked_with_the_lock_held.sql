-- Rights to make a key of the API and to deal with the payment provider are asked again once their lock is held: whoever lost them while waiting had them still.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.begin_role_change(p_role text)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := private.lock_my_team('roles.manage');
begin
  if p_role is not null and not exists (select 1 from public.roles r where r.org_id = v_org_id and r.role = p_role) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return v_org_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.begin_team_change(p_roles text[] DEFAULT '{}'::text[])
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := private.lock_my_team('team.manage');
begin
  perform private.require_power_over(v_org_id, p_roles);
  if exists (select 1 from unnest(p_roles) r (role) where not private.may_give(v_org_id, r.role)) then
    raise exception 'roles_not_in_plan' using errcode = 'TV114';
  end if;
  return v_org_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.lock_my_team(p_permission text)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  select o into v_org_id from private.my_org_ids() o;
  perform private.lock_team(v_org_id);
  -- Asked with the lock held: a right that was taken away meanwhile is gone.
  if v_org_id is null or v_org_id not in (select private.my_org_ids(p_permission)) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return v_org_id;
end;
$function$;

CREATE OR REPLACE FUNCTION public.begin_billing(p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid DEFAULT NULL::uuid, OUT outcome text, OUT org_id uuid, OUT org_name text, OUT email text, OUT plan text, OUT status text, OUT customer_id text, OUT subscription_id text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select m.org_id into begin_billing.org_id
  from public.organization_members m
  join public.role_permissions r on r.role = m.role and r.permission = 'billing.manage'
  where m.user_id = p_user_id and (p_org_id is null or m.org_id = p_org_id);
  if not found then
    outcome := 'forbidden';
    return;
  end if;
  perform private.lock_billing(begin_billing.org_id);
  -- Asked again with the lock held, which may last as long as the payment provider takes to answer.
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select 'granted', o.name, u.email, s.plan, s.status, s.stripe_customer_id, s.stripe_subscription_id
  into outcome, org_name, begin_billing.email, begin_billing.plan, begin_billing.status, customer_id, subscription_id
  from public.organizations o
  join public.subscriptions s on s.org_id = o.id
  join public.organization_members m on m.org_id = o.id and m.user_id = p_user_id
  join public.role_permissions r on r.role = m.role and r.permission = 'billing.manage'
  left join auth.users u on u.id = p_user_id
  where o.id = begin_billing.org_id;
  if not found then
    outcome := 'forbidden';
    return;
  end if;
  -- Changes of the plan in this transaction are this person's doing.
  perform set_config('tournavis.acting_user', p_user_id::text, true);
end;
$function$;

CREATE OR REPLACE FUNCTION public.create_api_key(p_name text, p_scope text, p_store_id uuid DEFAULT NULL::uuid, p_expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_key constant text := private.new_api_key();
  -- One after the other, so that the keys are counted.
  v_org_id constant uuid := private.lock_my_team('api.manage');
  v_row private.api_keys;
begin
  perform private.require_delegation(v_org_id, p_scope);
  if not private.includes_api(v_org_id) then
    raise exception 'api_not_in_plan' using errcode = 'TV111';
  elsif p_expires_at <= now() then
    raise exception 'already_expired' using errcode = '23514';
  elsif p_store_id is not null and not exists (
    select 1 from public.stores s where s.org_id = v_org_id and s.id = p_store_id and s.archived_at is null
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif (select count(*) from private.api_keys k where k.org_id = v_org_id and k.revoked_at is null) >= 20 then
    raise exception 'too_many_api_keys' using errcode = 'TV112';
  end if;
  insert into private.api_keys (org_id, name, scope, store_id, prefix, key_hash, created_by, expires_at)
  values (v_org_id, private.clean_line(p_name), p_scope, p_store_id, left(v_key, 13), sha256(convert_to(v_key, 'UTF8')),
    private.my_user_id(), p_expires_at)
  returning * into v_row;
  perform private.audit(v_org_id, 'api_key.created', 'api_key', v_row.id, jsonb_build_object('name', v_row.name));
  return jsonb_build_object('id', v_row.id, 'name', v_row.name, 'key', v_key);
end;
$function$;

COMMENT ON FUNCTION "private"."lock_my_team"(text) IS 'Locks the team of the signed-in user and answers its organisation. Error 42501 without the permission there.';

REVOKE ALL ON FUNCTION "private"."lock_my_team"(text) FROM PUBLIC;
