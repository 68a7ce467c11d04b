-- Why: the operator could queue a mail again whose code of a gesture was used or had ended, which no mail about a prize can be.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.queue_again(p_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_message private.outbox;
  v_lasts boolean;
begin
  select * into v_message from private.outbox o where o.id = p_id for update;
  v_lasts := private.is_lasting(v_message.template);
  if v_message.id is null then
    return 'unknown';
  elsif v_message.state <> 'failed' then
    return 'not_given_up';
  elsif not v_lasts and v_message.expires_at <= now() then
    return 'expired';
  elsif v_message.data = '{}' and v_message.channel <> 'payment' then
    return 'emptied';
  -- No mail about a code that was used or erased, has expired, or is held back.
  elsif v_message.template in ('prize', 'prize_reminder', 'prize_released') and not exists (
    select 1 from public.organizations o
    join public.redemptions d on d.org_id = o.id
      and d.spin_id = substring(v_message.data ->> 'path' from '#gain=([0-9a-f-]{36})\.')::uuid
    where private.code_state(d) = 'available' and d.verdict is null)
  then
    return 'prize_over';
  elsif v_message.template = 'review_gesture' and not exists (
    select 1 from public.review_actions a
    join public.review_actions g on g.org_id = a.org_id and g.review_id = a.review_id and g.kind = 'gesture'
    join public.redemptions d on d.org_id = g.org_id and d.id = g.redemption_id
    where a.message_id = p_id and private.code_state(d) = 'available')
  then
    return 'prize_over';
  end if;
  update private.outbox o
  set state = 'queued', settled_at = null, last_error = null, attempts_before = o.attempts, queued_again_at = now(),
    next_attempt_at = now(), expires_at = case when v_lasts then now() + interval '1 day' else o.expires_at end
  where o.id = p_id;
  perform pg_notify('tournavis_outbox', '');
  return 'queued';
end;
$function$;
