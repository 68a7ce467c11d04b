-- Why: five members of an organisation made its report five times; and deletions locked twice what one lock holds.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.send_reports(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_due record;
  v_timezone text;
  v_month date;
  v_report jsonb;
  v_report_of record := row(null::uuid, null::date);
  v_count integer := 0;
begin
  for v_due in
    select n.org_id, n.user_id, n.next_report_at, n.unsubscribe_secret,
      (select u.email from auth.users u where u.id = n.user_id) as address
    from public.notification_preferences n
    where n.next_report_at <= now()
    order by n.next_report_at, n.org_id limit p_limit for update of n skip locked
  loop
    v_count := v_count + 1;
    v_timezone := private.timezone_of(v_due.org_id);
    -- The month before the report was due, however late this run comes.
    v_month := (date_trunc('month', v_due.next_report_at at time zone v_timezone) - interval '1 month')::date;
    update public.notification_preferences n set next_report_at = private.next_report(v_timezone, now())
    where n.org_id = v_due.org_id and n.user_id = v_due.user_id;
    continue when v_due.address is null or not private.has_feature(v_due.org_id, 'advanced_analytics') or not exists (
      select 1 from public.organization_members m
      join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
      where m.org_id = v_due.org_id and m.user_id = v_due.user_id
    );
    -- The same for all who get it in an organisation, who come one after the other.
    if v_report_of is distinct from row(v_due.org_id, v_month) then
      v_report := private.monthly_report(v_due.org_id, v_month);
      v_report_of := row(v_due.org_id, v_month);
    end if;
    perform private.enqueue_mail('monthly_report', v_due.address, jsonb_build_object(
      'name', private.user_name(v_due.user_id),
      'brand', private.brand(v_due.org_id),
      'report', v_report,
      'facts', jsonb_strip_nulls(jsonb_build_object(
        'organization', (select o.name from public.organizations o where o.id = v_due.org_id),
        'token', v_due.unsubscribe_secret))),
      now() + interval '3 days');
  end loop;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_campaign(p_id uuid, p_is_archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  select c.org_id into v_org_id from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.delete')));
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_is_archived then
    -- It waits for no customer who is taking part: they may end what they have begun, and none begins anything afterwards.
    update public.campaigns c set active = false, archived_at = now() where c.id = p_id and c.archived_at is null;
    return;
  end if;
  -- The lock waits for all who take part right now: in a campaign that has customers it might never come.
  if not private.has_campaign_history(v_org_id, p_id) then
    perform 1 from public.campaigns c where c.id = p_id for update;
  end if;
  if private.has_campaign_history(v_org_id, p_id) then
    raise exception 'campaign_has_history' using errcode = 'TV067';
  end if;
  delete from public.wheel_segments s where s.campaign_id = p_id;
  -- Shared rewards move to another campaign that uses them.
  update public.rewards r set campaign_id = (
    select min(s.campaign_id::text)::uuid from public.wheel_segments s where s.org_id = v_org_id and s.reward_id = r.id)
  where r.org_id = v_org_id and r.campaign_id = p_id and private.is_shared(r);
  delete from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_id;
  delete from public.campaigns c where c.id = p_id;
exception
  -- Foreign keys decide: counters may be late.
  when foreign_key_violation or restrict_violation then
    raise exception 'campaign_has_history' using errcode = 'TV067';
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_reward(p_id uuid, p_is_archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_dependencies record;
begin
  select r.org_id into v_org_id from public.rewards r
  where r.id = p_id and r.org_id = any (array(select private.my_org_ids('rewards.delete')));
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_is_archived then
    -- It waits for no customer who is winning it: a draw that has begun ends, and none begins with it afterwards.
    update public.rewards r set archived_at = now() where r.id = p_id and r.archived_at is null;
    return;
  end if;
  v_dependencies := private.reward_dependencies(v_org_id, p_id);
  -- The lock waits for all who win it right now: of a reward in demand it might never come.
  if not v_dependencies.wins and v_dependencies.segments = 0 then
    perform 1 from public.rewards r where r.id = p_id for update;
    v_dependencies := private.reward_dependencies(v_org_id, p_id);
  end if;
  if v_dependencies.wins or v_dependencies.segments > 0 then
    raise exception 'reward_has_history' using errcode = 'TV040';
  end if;
  delete from public.rewards r where r.id = p_id;
exception
  -- Foreign keys decide: counters may be late.
  when foreign_key_violation or restrict_violation then
    raise exception 'reward_has_history' using errcode = 'TV040';
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_store(p_id uuid, p_is_archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  select s.org_id into v_org_id from public.stores s
  where s.id = p_id and s.org_id = any (array(select private.my_org_ids('stores.delete')));
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_is_archived then
    -- It waits for no customer who is taking part: they may end what they have begun.
    update public.stores s set archived_at = now() where s.id = p_id and s.archived_at is null;
    return;
  end if;
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
  delete from public.stores s where s.id = p_id;
end;
$function$;
