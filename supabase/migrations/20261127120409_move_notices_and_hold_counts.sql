-- Why: summaries and reports keep 8 in the morning when a store gets its time zone, and two merchants who decide about the same people do not stop each other.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.hold_counts(p_keys text[], p_window interval)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.rate_limits as r (key, window_start, shard, hits, expires_at)
  select k.key, w.start, 0, 0, w.start + p_window
  from (select distinct u.key from unnest(p_keys) u (key) where u.key is not null) k, (select private.window_start(p_window) as start) w
  order by k.key
  on conflict (key, window_start, shard) do update set hits = r.hits;
$function$;

CREATE OR REPLACE FUNCTION private.move_notices()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_store constant public.stores := coalesce(old, new);
  v_before constant text := coalesce(old.timezone, 'Europe/Paris');
  v_after constant text := private.timezone_of(v_store.org_id);
begin
  if v_after <> v_before and not exists (
    select 1 from public.stores s
    where s.org_id = v_store.org_id and s.id <> v_store.id
      and (tg_op = 'INSERT' or (s.created_at, s.id) < (v_store.created_at, v_store.id))
  ) then
    update public.notification_preferences n
    set next_summary_at = n.next_summary_at at time zone v_before at time zone v_after,
      next_report_at = n.next_report_at at time zone v_before at time zone v_after
    where n.org_id = v_store.org_id;
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.notify_winner(p_code public.redemptions, p_template text)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_address constant text := private.winner_address(p_code);
begin
  -- The player types the address, which could be anybody's: few mails a day reach it.
  if v_address is null or private.count_attempt(array[private.verdict_key(v_address)], '{5}', interval '1 day') is not null
  then
    return null;
  end if;
  if p_template = 'prize_released' then
    return private.write_prize_mail(p_template, v_address, p_code);
  end if;
  return private.enqueue_customer_mail(t.org_id, t.customer_id, p_template, v_address, jsonb_build_object(
      'brand', private.brand(t.org_id),
      'white_label', private.has_feature(t.org_id, 'white_label'),
      'path', '/c/' || g.slug || '/gain#gain=' || t.id || '.' || t.nonce
    ) || jsonb_strip_nulls(jsonb_build_object(
      'locale', u.locale,
      'name', nullif(split_part(btrim(t.end_user_name), ' ', 1), ''),
      'facts', jsonb_build_object(
        'prize', private.mailed_name(p_code, u.locale),
        'store', s.name,
        'address', s.address))),
    now() + interval '1 day', now() + interval '10 minutes')
  from public.spins t
  join public.stores s on s.org_id = t.org_id and s.id = t.store_id
  join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
  left join public.customers u on u.org_id = t.org_id and u.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.verdict_key(p_address text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN ('prize verdict to '::text || encode(sha256(convert_to(private.normalize_email(p_address), 'UTF8'::name)), 'hex'::text));

CREATE OR REPLACE FUNCTION private.winner_address(p_code public.redemptions)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(t.end_user_email, c.email)
  from public.spins t
  left join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
$function$;

CREATE OR REPLACE FUNCTION public.decide_check(p_id uuid, p_action text, p_codes uuid[] DEFAULT NULL::uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_group private.check_groups;
  v_code public.redemptions;
  v_changed integer := 0;
  v_left integer := 0;
begin
  select g.* into v_group from private.check_groups g
  where g.id = p_id and g.org_id = any (array(
    select private.my_org_ids('rewards.write') intersect select private.my_org_ids('codes.read')))
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
    for v_code in
      select d.* from private.check_codes m
      join public.redemptions d on d.org_id = m.org_id and d.id = m.redemption_id
      where m.org_id = v_group.org_id and m.group_id = p_id and (p_codes is null or d.id = any (p_codes))
      order by d.reward_id, d.id for no key update of d
    loop
      continue when p_action = 'clear' and v_code.verdict is distinct from 'held';
      if private.decide_code(v_code, case p_action when 'clear' then 'release' else p_action end, v_user_id) then
        v_changed := v_changed + 1;
      elsif p_action = 'release' and v_code.verdict is not null or p_action in ('hold', 'cancel') and v_code.status = 'used' then
        v_left := v_left + 1;
      end if;
    end loop;
  end if;

  if p_action = 'clear' or (p_action = 'cancel' and p_codes is null) then
    update private.check_groups g
    set closed_at = coalesce(g.closed_at, now()), is_normal = p_action = 'clear',
      closed_by = left(private.user_name(v_user_id), 200)
    where g.org_id = v_group.org_id and g.id = p_id;
  elsif v_group.closed_at is not null and (p_action = 'reopen' or (p_action = 'release' and v_changed > 0)) then
    update private.check_groups g
    set closed_at = null, is_normal = false, closed_by = null,
      -- Spins that came later have a group of their own.
      group_key = case when exists (
        select 1 from private.check_groups o
        where o.org_id = g.org_id and o.campaign_id = g.campaign_id and o.kind = g.kind and o.group_key = g.group_key
          and o.closed_at is null
      ) then split_part(g.group_key, ' ', 1) || ' ' || g.id else g.group_key end
    where g.org_id = v_group.org_id and g.id = p_id;
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

CREATE TRIGGER move_notices AFTER INSERT OR DELETE OR UPDATE OF timezone ON public.stores FOR EACH ROW EXECUTE FUNCTION private.move_notices();

COMMENT ON FUNCTION "private"."hold_counts"(text[], interval) IS 'Locks the counts of keys (limits below 600) in one order, and counts nothing: before a transaction counts them one by one, while another may do so the other way around (40P01).';

COMMENT ON FUNCTION "private"."move_notices"() IS 'Keeps summaries and reports at 8 in the morning when the organisation''s time zone becomes another (private.timezone_of). At the old moment it could be the day before, and the figures those of another month.';

COMMENT ON FUNCTION "private"."verdict_key"(text) IS 'Name of the count of mails about decisions to an address.';

COMMENT ON FUNCTION "private"."winner_address"(public.redemptions) IS 'Where a code''s winner gets mail; null without an address.';

REVOKE ALL ON FUNCTION "private"."hold_counts"(text[], interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."move_notices"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."verdict_key"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."winner_address"(public.redemptions) FROM PUBLIC;
