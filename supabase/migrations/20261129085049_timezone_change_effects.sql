-- Why: a new time zone of a store stopped running campaigns, whose dates keep their clock time, without a word before.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.move_campaign_dates()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.campaigns c
  set starts_at = private.same_clock_time(c.starts_at, old.timezone, new.timezone),
    ends_at = private.same_clock_time(c.ends_at, old.timezone, new.timezone)
  where c.org_id = new.org_id and c.store_id = new.id and coalesce(c.starts_at, c.ends_at) is not null;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.same_clock_time(p_at timestamp with time zone, p_from text, p_to text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN ((p_at AT TIME ZONE p_from) AT TIME ZONE p_to);

CREATE OR REPLACE FUNCTION public.timezone_change(p_store_id uuid, p_timezone text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('stores.read'));
  v_store public.stores;
  v_may_read boolean;
begin
  select * into v_store from public.stores s where s.id = p_store_id and s.org_id = any (v_org_ids);
  if not found then
    return null;
  end if;
  if not private.is_timezone(p_timezone) then
    raise exception 'unknown_timezone' using errcode = '23514', constraint = 'stores_timezone_check';
  end if;
  v_may_read := v_store.org_id = any (array(select private.my_org_ids('campaigns.read')));
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'name', case when v_may_read then effects.name end, 'effect', effects.effect) order by effects.name, effects.id), '[]')
    from (
      select c.id, c.name, case
        when private.is_in_time(c) and not private.is_in_time(moved) then 'stops'
        when not private.is_in_time(c) and private.is_in_time(moved) then 'starts'
        else 'moves' end as effect
      from public.campaigns c
      cross join lateral jsonb_populate_record(c, jsonb_build_object(
        'starts_at', private.same_clock_time(c.starts_at, v_store.timezone, p_timezone),
        'ends_at', private.same_clock_time(c.ends_at, v_store.timezone, p_timezone))) moved
      where c.org_id = v_store.org_id and c.store_id = p_store_id and c.active
        and coalesce(c.starts_at, c.ends_at) is not null
        and (c.starts_at is distinct from moved.starts_at or c.ends_at is distinct from moved.ends_at)
        -- One that is over, and stays so, is of no interest.
        and (c.ends_at is null or greatest(c.ends_at, moved.ends_at) > now())
        and (c.ends_at is not null or greatest(c.starts_at, moved.starts_at) > now())
    ) effects);
end;
$function$;

COMMENT ON FUNCTION "private"."same_clock_time"(timestamp with time zone, text, text) IS 'The instant at which clocks of zone p_to show what those of zone p_from show at p_at.';

COMMENT ON FUNCTION "public"."timezone_change"(uuid, text) IS 'Effects of another time zone on the active campaigns of a store, whose dates keep their clock time: a list of {name, effect}, where effect is stops or starts (at once) or moves. The name is null without campaigns.read. Null without such a store or without stores.read. Error 23514 (stores_timezone_check): no time zone.';

REVOKE ALL ON FUNCTION "private"."same_clock_time"(timestamp with time zone, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."timezone_change"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."timezone_change"(uuid, text) TO "authenticated";
