-- Why: open tills and screens went on showing a prize as valid that the team had held back, cancelled or released.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.decide_codes(p_codes public.redemptions[], p_action text, p_user_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_codes public.redemptions[];
  v_ids uuid[];
  v_org_id uuid;
begin
  v_codes := array(
    select d from unnest(p_codes) d
    where case p_action
      when 'hold' then d.verdict is null and private.code_state(d) = 'available'
      -- A code that expired without being held back is not cancelled: nothing would change for its winner or for the stock.
      when 'cancel' then d.status <> 'used' and d.verdict is distinct from 'cancelled'
        and (d.verdict is not null or private.code_state(d) <> 'expired')
      else d.verdict is not null end
    order by d.reward_id, d.id);
  if p_action <> 'hold' then
    -- After the codes, and in one order as well: a reward's stock changes once, however many codes it has here.
    perform 1 from public.rewards r
    where (r.org_id, r.id) in (select d.org_id, d.reward_id from unnest(v_codes) d where p_action = 'cancel' or d.verdict = 'cancelled')
    order by r.id for no key update;
  end if;
  if p_action = 'release' then
    -- Stock that was given back may have been won since: then the prize stays cancelled.
    v_codes := array(
      select o.code
      from (
        select d as code, d.verdict, d.org_id, d.reward_id, d.id,
          row_number() over (partition by d.reward_id, d.verdict order by d.id) as turn
        from unnest(v_codes) d
      ) o
      where o.verdict = 'held' or exists (
        select 1 from public.rewards r
        where r.org_id = o.org_id and r.id = o.reward_id and (r.stock < 0 or o.turn <= r.stock))
      order by o.reward_id, o.id);
  end if;
  if cardinality(v_codes) = 0 then
    return 0;
  end if;
  v_org_id := (v_codes[1]).org_id;
  v_ids := array(select d.id from unnest(v_codes) d order by d.reward_id, d.id);
  if p_action <> 'hold' then
    update public.rewards r set stock = r.stock + n.given
    from (
      select d.org_id, d.reward_id, case p_action when 'cancel' then count(*) else -count(*) end::integer as given
      from unnest(v_codes) d where p_action = 'cancel' or d.verdict = 'cancelled' group by 1, 2
    ) n
    where r.org_id = n.org_id and r.id = n.reward_id and r.stock >= 0;
    perform private.drop_verdict_mails(v_org_id, v_ids);
  end if;
  if p_action = 'release' then
    -- Valid for as many days longer as it could not be used.
    update public.redemptions d set status = 'available', verdict = null, expires_at = e.expires_at
    from (
      select c.id, private.day_end((c.expires_at at time zone s.timezone)::date + (
        private.now_in(s.timezone)::date - (coalesce(v.decided_at, now()) at time zone s.timezone)::date), s.timezone) as expires_at
      from unnest(v_codes) c
      join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      left join private.code_verdicts v on v.org_id = c.org_id and v.redemption_id = c.id
    ) e
    where d.org_id = v_org_id and d.id = e.id;
    perform private.notify_winners(v_org_id, array(
      select c.id from unnest(v_ids) with ordinality c (id, place)
      join private.code_verdicts v on v.org_id = v_org_id and v.redemption_id = c.id
      where v.is_notified order by c.place
    ), 'prize_released');
    delete from private.code_verdicts v using unnest(v_ids) c (id) where v.org_id = v_org_id and v.redemption_id = c.id;
  else
    update public.redemptions d
    set status = case p_action when 'cancel' then 'expired' else d.status end,
      verdict = case p_action when 'cancel' then 'cancelled' else 'held' end
    from unnest(v_ids) c (id) where d.org_id = v_org_id and d.id = c.id;
    insert into private.code_verdicts (org_id, redemption_id, mail_id)
    select v_org_id, c.id, c.mail_id
    from unnest(v_ids, private.notify_winners(v_org_id, v_ids, case p_action when 'cancel' then 'prize_cancelled' else 'prize_held' end))
      c (id, mail_id)
    -- Held before: since then it cannot be used.
    on conflict (org_id, redemption_id) do update set mail_id = excluded.mail_id;
  end if;
  insert into public.redemption_events (org_id, redemption_id, action, user_id)
  select v_org_id, c.id, case p_action when 'hold' then 'held' when 'cancel' then 'cancelled' else 'released' end, p_user_id
  from unnest(v_ids) with ordinality c (id, place) order by c.place;
  -- One message, however many they are: each open screen reads anew what it shows.
  perform realtime.send(jsonb_build_object('kind', 'code', 'campaign_id', (v_codes[1]).campaign_id),
    'change', 'organization:' || v_org_id || ':codes', true);
  return cardinality(v_codes);
end;
$function$;

COMMENT ON FUNCTION "private"."decide_codes"(public.redemptions[], text, uuid) IS 'Holds back prizes that wait, cancels them (the stock gets them back), or releases them again: for codes of one organisation whose rows the caller has locked, and tells open screens. Answers how many changed: not those where there was nothing to do, or no stock left to give back from.';
