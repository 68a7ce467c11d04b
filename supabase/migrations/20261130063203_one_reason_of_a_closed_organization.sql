-- Why: three functions decided in an order of their own which reason the team of a closed organisation is told.

set check_function_bodies = off;

DROP FUNCTION "private"."refuse_closed"(public.subscriptions);

CREATE OR REPLACE FUNCTION private.api_refusal(p_org_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case when not private.includes_api(p_org_id) then coalesce((
      select nullif(private.closed_reason(s), 'subscription_closed')
      from public.subscriptions s where s.org_id = p_org_id and private.has_feature(s.org_id, 'api_access')
    ), 'api_not_in_plan')
  end;
$function$;

CREATE OR REPLACE FUNCTION private.closed_reason(p_subscription public.subscriptions)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return case
    when private.is_open(p_subscription) then null
    when p_subscription.suspended_at is not null then 'organization_suspended'
    when p_subscription.is_ending then 'organization_ending'
    else 'subscription_closed'
  end;
end;
$function$;

CREATE OR REPLACE FUNCTION private.refuse_api(p_refusal text)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  if p_refusal in ('api_key_refused', 'api_not_in_plan') then
    raise exception '%', p_refusal using errcode = case p_refusal when 'api_key_refused' then 'TV110' else 'TV111' end;
  end if;
  perform private.refuse_closed(p_refusal);
end;
$function$;

CREATE OR REPLACE FUNCTION private.refuse_closed(p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  if p_reason is not null then
    raise exception '%', p_reason using errcode = case p_reason
      when 'organization_suspended' then 'TV190' when 'organization_ending' then 'TV191' else 'TV085' end;
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION private.require_open_plan(p_org_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.refuse_closed(private.closed_reason(s)) from public.subscriptions s where s.org_id = p_org_id;
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION private.require_plan(p_org_id uuid, p_permission text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_subscription public.subscriptions;
begin
  select * into v_subscription from public.subscriptions s where s.org_id = p_org_id;
  if not found then
    return true;
  elsif p_permission like '%.write'
    or p_permission in ('stores.delete', 'campaigns.delete', 'rewards.delete', 'organization.update')
  then
    perform private.refuse_closed(private.closed_reason(v_subscription));
  elsif p_permission like '%.read' and p_permission <> 'billing.read'
    and private.readable_until(v_subscription) <= now()
  then
    raise exception 'reading_closed' using errcode = 'TV120';
  end if;
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION public.begin_brand_logo(p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

COMMENT ON FUNCTION "private"."closed_reason"(public.subscriptions) IS 'Reason why nothing may be changed under a subscription; where there are several, the first of organization_suspended (by the operator), organization_ending (it waits to be erased), subscription_closed (its plan is over); null while it is open.';

COMMENT ON FUNCTION "private"."refuse_closed"(text) IS 'Raises a reason of private.closed_reason, none for null. Errors: TV190 the operator suspended the organisation, TV191 it waits to be erased, TV085 its plan is over.';

COMMENT ON FUNCTION "public"."begin_brand_logo"(uuid, uuid, text, uuid) IS 'Whether a user whose token names a session and an assurance level may change an organisation''s logo now; the place is held until the transaction ends. Answers started, or why not: session_ended, second_factor_required, forbidden, a reason of private.closed_reason, not_in_plan, busy (other pictures are being read).';

REVOKE ALL ON FUNCTION "private"."closed_reason"(public.subscriptions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_closed"(text) FROM PUBLIC;
