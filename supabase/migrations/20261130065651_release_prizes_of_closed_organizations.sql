-- Why: tills take prizes of a closed organisation, but nobody could release one there that had been held back.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.remind_prizes(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_due record;
  v_code public.redemptions;
  v_codes public.redemptions[] := '{}';
  v_mail_id uuid;
begin
  for v_due in
    select d as code, coalesce(t.end_user_email, c.email) as address
    from public.redemptions d
    join public.spins t on t.org_id = d.org_id and t.id = d.spin_id
    join public.stores s on s.org_id = d.org_id and s.id = d.store_id
    join public.subscriptions u on u.org_id = d.org_id
    left join public.customers c on c.org_id = d.org_id and c.id = d.customer_id
    where d.status = 'available' and d.verdict is null and d.expires_at > now() and d.expires_at < now() + interval '5 days'
      -- In the three days before the last one, and in the daytime of the store.
      and (d.expires_at at time zone s.timezone)::date - private.now_in(s.timezone)::date between 1 and 3
      and extract(hour from private.now_in(s.timezone)) between 9 and 18
      -- No reminder in the first three days after the win.
      and d.created_at < now() - interval '3 days'
      -- A closed organisation sends nothing that was not asked for, though its tills go on taking what was won.
      and private.is_open(u)
      and not exists (
        select 1 from private.prize_reminders m where m.org_id = d.org_id and m.spin_id = d.spin_id
      )
    order by d.expires_at, d.id limit p_limit
  loop
    v_mail_id := null;
    v_code := v_due.code;
    v_codes := v_codes || v_code;
    -- The player types the address, which could be anybody's: it gets few reminders a day.
    if v_due.address is not null and private.count_attempt(
      array['prize reminder to ' || encode(sha256(convert_to(private.normalize_email(v_due.address), 'UTF8')), 'hex')],
      '{3}', interval '1 day') is null
    then
      v_mail_id := private.write_prize_mail('prize_reminder', v_due.address, v_code);
    end if;
    insert into private.prize_reminders (org_id, spin_id, mail_id)
    values (v_code.org_id, v_code.spin_id, v_mail_id);
  end loop;
  -- Codes are held for this instant alone: no till waits while the mails are written. Codes that a till has used meanwhile, or is using right
  -- now, get none, and nor does a winner who was erased.
  foreach v_code in array v_codes loop
    perform 1 from public.redemptions d
    where d.org_id = v_code.org_id and d.id = v_code.id and d.status = 'available' and d.verdict is null
      and d.customer_id is not distinct from v_code.customer_id
    for no key update skip locked;
    if not found then
      delete from private.prize_reminders m where m.org_id = v_code.org_id and m.spin_id = v_code.spin_id
      returning m.mail_id into v_mail_id;
      delete from private.outbox o where o.id = v_mail_id;
    end if;
  end loop;
  return cardinality(v_codes);
end;
$function$;

CREATE OR REPLACE FUNCTION public.decide_check(p_id uuid, p_action text, p_codes uuid[] DEFAULT NULL::uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_org_ids uuid[];
  v_group private.check_groups;
  v_codes public.redemptions[];
  v_changed integer := 0;
  v_left integer := 0;
begin
  if p_action = 'release' then
    -- Tills take what was won whatever the plan is: a prize that was held back wrongly can be given back as well.
    v_org_ids := array(
      select m.org_id from public.organization_members m
      where m.user_id = v_user_id and private.role_may(m.role, 'rewards.write'));
  else
    v_org_ids := array(select private.my_org_ids('rewards.write'));
  end if;
  select g.* into v_group from private.check_groups g
  where g.id = p_id and g.org_id = any (array(select unnest(v_org_ids) intersect select private.my_org_ids('codes.read')))
  for no key update of g;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_action is null or p_action not in ('hold', 'cancel', 'release', 'clear', 'reopen') then
    raise exception 'action_unknown' using errcode = '22023';
  end if;

  if p_action <> 'reopen' then
    perform private.hold_counts(array(
      select private.verdict_key(private.winner_address(d)) from private.check_codes m
      join public.redemptions d on d.org_id = m.org_id and d.id = m.redemption_id
      where m.org_id = v_group.org_id and m.group_id = p_id and (p_codes is null or d.id = any (p_codes))
    ), interval '1 day');
    -- In one order, whoever else decides on another group of the same codes; a till that was faster has its prize.
    v_codes := array(
      select d from private.check_codes m
      join public.redemptions d on d.org_id = m.org_id and d.id = m.redemption_id
      where m.org_id = v_group.org_id and m.group_id = p_id and (p_codes is null or d.id = any (p_codes))
      order by d.reward_id, d.id for no key update of d);
    if p_action = 'clear' then
      v_codes := array(select d from unnest(v_codes) d where d.verdict = 'held' order by d.reward_id, d.id);
    end if;
    v_changed := private.decide_codes(v_codes, case p_action when 'clear' then 'release' else p_action end, v_user_id);
    v_left := (
      select count(*) from unnest(v_codes) d
      where case p_action when 'release' then d.verdict is not null else d.status = 'used' and p_action <> 'clear' end
    ) - case p_action when 'release' then v_changed else 0 end;
  end if;

  if p_action = 'clear' or (p_action = 'cancel' and p_codes is null) then
    update private.check_groups g
    set closed_at = coalesce(g.closed_at, now()), is_normal = p_action = 'clear',
      closed_by = left(private.user_name(v_user_id), 200)
    where g.org_id = v_group.org_id and g.id = p_id;
  elsif v_group.closed_at is not null and (p_action = 'reopen' or (p_action = 'release' and v_changed > 0)) then
    begin
      update private.check_groups g
      set closed_at = null, is_normal = false, closed_by = null
      where g.org_id = v_group.org_id and g.id = p_id;
    exception when unique_violation then
      -- Spins that came later have a group of their own, which the job may have made at this instant.
      update private.check_groups g
      set closed_at = null, is_normal = false, closed_by = null, group_key = split_part(g.group_key, ' ', 1) || ' ' || g.id
      where g.org_id = v_group.org_id and g.id = p_id;
    end;
  end if;
  if v_changed > 0 or p_action = 'clear' and v_group.closed_at is null
    or p_action = 'reopen' and v_group.closed_at is not null
  then
    perform private.audit(v_group.org_id, case p_action when 'hold' then 'check.held' when 'cancel' then 'check.cancelled'
      when 'release' then 'check.released' when 'clear' then 'check.cleared' else 'check.reopened' end, 'campaign', v_group.campaign_id, (
      select jsonb_build_object('name', c.name, 'count', v_changed) from public.campaigns c
      where c.org_id = v_group.org_id and c.id = v_group.campaign_id));
  end if;
  return jsonb_build_object('changed', v_changed, 'left', v_left);
end;
$function$;

COMMENT ON FUNCTION "public"."decide_check"(uuid, text, uuid[]) IS 'Decision on a group of prizes, or on some of its codes: hold, cancel (the group is dealt with), release (both taken back), clear (all is well: what was held is released, and the same is not marked again) or reopen. Answers how many codes changed, and how many could not (used meanwhile, no stock left). Repeated, it changes nothing. Winners are notified by mail ten minutes later. Errors: 42501 without the permissions rewards.write and codes.read there, 22023 another action; those of private.refuse_closed, except to release, which goes on as long as codes can be read (TV120).';
