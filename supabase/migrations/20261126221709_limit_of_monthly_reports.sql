-- Why: one member could keep the server printing reports; everybody else waited meanwhile.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.monthly_report(p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid, p_month date, OUT outcome text, OUT report jsonb)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_this_month date;
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  if not exists (
    select 1 from public.organization_members m
    join public.role_permissions r on r.role = m.role and r.permission = 'activity.read'
    where m.user_id = p_user_id and m.org_id = p_org_id
  ) then
    outcome := 'forbidden';
    return;
  end if;
  v_this_month := date_trunc('month', private.now_in(private.timezone_of(p_org_id)))::date;
  outcome := case
    when not private.is_readable(p_org_id) then 'closed'
    when not private.has_feature(p_org_id, 'advanced_analytics') then 'plan'
    when (extract(day from p_month) = 1 and p_month < v_this_month and p_month >= v_this_month - interval '12 months')
      is not true then 'month'
    -- Printing one takes the server longer than anything else that a press of a button asks for.
    when private.count_attempt(array['monthly report ' || p_user_id::text], '{60}', interval '1 hour') is not null
      then 'too_many_attempts'
    else 'made'
  end;
  if outcome = 'made' then
    report := private.monthly_report(p_org_id, p_month);
  end if;
end;
$function$;

COMMENT ON FUNCTION "public"."monthly_report"(uuid, uuid, text, uuid, date) IS 'Report of one of the last 12 months that are over, by its first day. For a user, with the session and the assurance level of their token; the shape is monthlyReport of _shared/domain. Outcomes: made, or why not: session_ended, second_factor_required, forbidden, closed (the plan ended 30 days ago), plan (without advanced analytics), month (another day, or another month), too_many_attempts (60 in an hour).';
