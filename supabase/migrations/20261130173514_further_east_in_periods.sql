-- Why: Days up to today left out what a store further east, a day ahead, counts today; the dashboard's 30 days and the costs of rewards counted it.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.period(p_org_id uuid, p_from date, p_to date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Materialized: as a subquery it would be asked once for each of its parts.
  with e as materialized (
    select private.period_end(p_org_id, p_to) as until
  ), r as materialized (
    select e.until, private.recent_days(p_org_id, p_to, p_to - p_from + 1, e.until) as recent from e
  )
  select jsonb_build_object('totals', r.recent -> 'totals', 'previous', r.recent -> 'previous',
    'days', r.recent -> 'days', 'funnel', r.recent -> 'funnel',
    'return', private.period_return(p_org_id, p_from, r.until))
  from r;
$function$;

CREATE OR REPLACE FUNCTION private.period_end(p_org_id uuid, p_to date)
 RETURNS date
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Days up to today have no end: a store further east is a day ahead.
  select case when p_to >= private.now_in(private.timezone_of(p_org_id))::date then date 'infinity' else p_to + 1 end;
$function$;

CREATE OR REPLACE FUNCTION public.period_costs(p_org_id uuid, p_from date, p_to date)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform private.require_period(p_org_id, p_from, p_to);
  return private.period_costs(p_org_id, p_from, private.period_end(p_org_id, p_to));
end;
$function$;

COMMENT ON FUNCTION "private"."period_end"(uuid, date) IS 'Day before which days count that end with p_to: the next one, or infinity where it is today''s at the first store, or a later one.';

REVOKE ALL ON FUNCTION "private"."period_end"(uuid, date) FROM PUBLIC;
