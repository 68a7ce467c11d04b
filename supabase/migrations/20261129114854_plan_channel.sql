-- Why: /closed stays until a reload where somebody pays elsewhere: every member hears what becomes of the plan, on a channel that closes with no plan.

set check_function_bodies = off;

DROP TRIGGER "broadcast_organization" ON "public"."subscriptions";

CREATE OR REPLACE FUNCTION private.broadcast_organization()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform realtime.send(jsonb_build_object('kind', 'organization', 'id', new.org_id),
    'change', 'organization:' || new.org_id || ':' || k.kind, true)
  from unnest(array['activity', 'codes', 'plan']) k (kind);
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.may_hear(p_topic text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_parts constant text[] := regexp_match(
    p_topic, '^organization:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(activity|codes|plan)$');
  v_org_id uuid;
begin
  if v_parts is null then
    return false;
  end if;
  v_org_id := v_parts[1]::uuid;
  if v_parts[2] = 'activity' then
    return v_org_id in (select private.my_org_ids('activity.read'));
  elsif v_parts[2] = 'plan' then
    return v_org_id in (select private.my_org_ids());
  elsif v_org_id in (select private.my_org_ids('codes.redeem')) then
    -- Asked first: prizes are still handed out where nothing can be read any more.
    return true;
  end if;
  return v_org_id in (select private.my_org_ids('codes.read'));
end;
$function$;

create trigger broadcast_organization
  after update of is_ending, suspended_at, plan, status, trial_end, current_period_end, cancel_at_period_end, past_due_since, closed_at
  on public.subscriptions
  for each row when ((new.is_ending, new.suspended_at, new.plan, new.status, new.trial_end, new.current_period_end,
      new.cancel_at_period_end, new.past_due_since, new.closed_at)
    is distinct from (old.is_ending, old.suspended_at, old.plan, old.status, old.trial_end, old.current_period_end,
      old.cancel_at_period_end, old.past_due_since, old.closed_at))
  execute function private.broadcast_organization();

COMMENT ON FUNCTION "private"."broadcast_organization"() IS 'Tells the channels of an organisation that it waits to be erased, is suspended, or has another state of its plan, or no longer. Every open screen says so, and the page of a closed organisation opens again.';

COMMENT ON FUNCTION "private"."may_hear"(text) IS 'Whether the signed-in user may listen to a channel: organization:{id}:activity with activity.read, organization:{id}:codes with codes.read or codes.redeem, organization:{id}:plan as a member, whatever became of the plan. Errors of my_org_ids().';
