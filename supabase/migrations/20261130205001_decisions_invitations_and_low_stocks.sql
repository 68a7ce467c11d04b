-- Why: closed invitations kept an empty store, a mistyped stock used up the message of the day, and mails about decisions taken back could be sent again.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.has_store_history(p_org_id uuid, p_store_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = p_store_id)
    or exists (select 1 from private.store_days_now(p_org_id, p_store_id, '-infinity', 'infinity'))
    or exists (select 1 from public.redemptions r where r.org_id = p_org_id and r.used_store_id = p_store_id)
    or exists (select 1 from public.redemption_events e where e.org_id = p_org_id and e.store_id = p_store_id)
    or exists (select 1 from public.points_spends p where p.org_id = p_org_id and p.used_store_id = p_store_id)
    -- Members who work there alone must not find every other till open.
    or exists (select 1 from public.organization_members m where m.org_id = p_org_id and m.store_id = p_store_id)
    or exists (select 1 from private.invitations i where i.org_id = p_org_id and i.store_id = p_store_id
      and private.is_waiting(i))
    or exists (select 1 from private.api_keys k where k.org_id = p_org_id and k.store_id = p_store_id
      and k.revoked_at is null);
$function$;

CREATE OR REPLACE FUNCTION private.push_low_stock()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id uuid;
  v_devices uuid[];
  v_texts jsonb[];
begin
  if not exists (select 1 from private.push_devices d where d.org_id = new.org_id)
    or not new.active or new.archived_at is not null
  then
    return null;
  end if;
  v_user_id := private.my_user_id();
  select array_agg(r.device_id), array_agg(
    jsonb_strip_nulls(jsonb_build_object('store', s.name, 'prize', new.name, 'stock', new.stock,
      'reward', case when private.role_may(r.role, 'rewards.write') then new.id end)))
  into v_devices, v_texts
  from private.push_readers(new.org_id, 'low_stock') r
  join public.campaigns c on c.org_id = new.org_id and c.id = private.selling_campaign(new.org_id, new.id, new.campaign_id)
  join public.stores s on s.org_id = new.org_id and s.id = c.store_id
  -- The person who has just typed the number knows it.
  where r.user_id is distinct from v_user_id;
  -- A stock that goes up and down is a message once a day, which only a message uses up.
  if v_devices is not null and private.count_attempt(
    array['stock push ' || new.id::text || case when new.stock = 0 then ' none' else ' few' end], '{1}', interval '1 day') is null
  then
    perform private.enqueue_message('push', 'low_stock', m.device_id::text, m.text, now() + interval '1 day')
    from unnest(v_devices, v_texts) m (device_id, text);
  end if;
  return null;
end;
$function$;

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
  -- A decision on a code that was taken back, or came to another.
  elsif v_message.template in ('prize_held', 'prize_cancelled') and not exists (
    select 1 from private.code_verdicts v where v.mail_id = p_id)
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

CREATE OR REPLACE FUNCTION public.remove_store(p_id uuid, p_is_archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('stores.delete'));
  v_org_id uuid;
begin
  select s.org_id into v_org_id from public.stores s
  where s.id = p_id and s.org_id = any (v_org_ids);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_is_archived is null then
    raise exception 'no_choice' using errcode = '23502';
  end if;
  if p_is_archived then
    -- It waits for no customer who is taking part: they may end what they have begun.
    update public.stores s set archived_at = now() where s.id = p_id and s.archived_at is null;
    return;
  end if;
  -- The team before its invitations, as whoever changes it: two orders would make deadlocks.
  perform private.lock_team(v_org_id);
  -- The lock waits for all who take part right now: in a store that has customers it might never come.
  if not private.has_store_history(v_org_id, p_id) then
    perform 1 from public.stores s where s.id = p_id for update;
  end if;
  if private.has_store_history(v_org_id, p_id) then
    raise exception 'store_has_history' using errcode = 'TV140';
  end if;
  -- Revoked keys open nothing, whichever till they name.
  update private.api_keys k set store_id = null
  where k.org_id = v_org_id and k.store_id = p_id and k.revoked_at is not null;
  -- Invitations that are over open nothing either. One that has expired, sent again without its store, would open every till.
  delete from private.invitations i where i.org_id = v_org_id and i.store_id = p_id;
  delete from public.stores s where s.id = p_id;
end;
$function$;

COMMENT ON FUNCTION "private"."has_store_history"(uuid, uuid) IS 'Whether a store has a campaign, a figure, a used code (won, or bought with points), a member or open invitation bound to it or an unrevoked API key: then it is archived, never deleted.';

COMMENT ON FUNCTION "private"."queue_again"(uuid) IS 'Queues a message that was given up, with as many tries as a new one. Answers queued, or why not: unknown, not_given_up, expired (its link or code opens nothing any more), emptied (its data is gone), prize_over (its prize was used, has expired, or is held back or cancelled; that it was is taken back).';
