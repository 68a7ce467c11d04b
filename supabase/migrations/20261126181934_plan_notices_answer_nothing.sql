-- Why: nobody read whether a notice of a plan was new. It answered so, and now answers nothing.

set check_function_bodies = off;

DROP FUNCTION "private"."notify_plan_event"(uuid, text, timestamp with time zone, timestamp with time zone);

CREATE OR REPLACE FUNCTION private.notify_plan_event(p_org_id uuid, p_kind text, p_about timestamp with time zone, p_day timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_person record;
begin
  -- Of two transactions about the same event the second waits for this row, and finds it stored.
  insert into private.plan_notices (org_id, kind, about) values (p_org_id, p_kind, p_about) on conflict do nothing;
  if not found then
    return;
  end if;
  for v_person in
    select u.email, private.user_name(u.id) as name, o.name as organization, s.due_cents
    from public.organization_members m
    join public.role_permissions p on p.role = m.role and p.permission = 'billing.manage'
    join auth.users u on u.id = m.user_id
    join public.organizations o on o.id = m.org_id
    join public.subscriptions s on s.org_id = m.org_id
    where m.org_id = p_org_id and u.email is not null
  loop
    perform private.enqueue_mail(p_kind, v_person.email, jsonb_build_object('name', v_person.name,
      'brand', private.brand(p_org_id), 'facts', jsonb_build_object('organization', v_person.organization),
      'days', jsonb_build_object('day', jsonb_build_object('at', p_day, 'timezone', private.timezone_of(p_org_id))))
        || case when v_person.due_cents is null then '{}' else jsonb_build_object('due_cents', v_person.due_cents) end,
      now() + interval '2 days');
  end loop;
end;
$function$;

COMMENT ON FUNCTION "private"."notify_plan_event"(uuid, text, timestamp with time zone, timestamp with time zone) IS 'Writes to whoever may manage billing (owner and admins) that a plan ends, has ended or is not paid, and how much that is; the day is the one that the mail mentions. Writes nothing when that mail was sent before.';

REVOKE ALL ON FUNCTION "private"."notify_plan_event"(uuid, text, timestamp with time zone, timestamp with time zone) FROM PUBLIC;
