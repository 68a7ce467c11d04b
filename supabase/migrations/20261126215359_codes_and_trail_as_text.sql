-- Why: codes and the trail are sent as text as other lists are; the entry that only tells of a next page is no longer worded.

set check_function_bodies = off;

DROP FUNCTION "public"."audit_trail"(uuid, uuid, text, uuid, uuid);

DROP FUNCTION "public"."reward_codes"(uuid, text, integer, text, text);

CREATE OR REPLACE FUNCTION public.audit_trail(p_org_id uuid, p_person_id uuid DEFAULT NULL::uuid, p_action text DEFAULT NULL::text, p_before uuid DEFAULT NULL::uuid, p_after uuid DEFAULT NULL::uuid)
 RETURNS json
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_page_size constant integer := 25;
  v_is_back constant boolean := p_after is not null;
  v_ids uuid[];
  v_is_more boolean;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('audit.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- One more than is shown tells whether the list goes on in that direction.
  if v_is_back then
    v_ids := array(
      select a.id from public.audit_events a
      where a.org_id = p_org_id and a.id > p_after
        and (p_person_id is null or a.user_id = p_person_id)
        and (p_action is null or a.action = p_action)
      order by a.id limit v_page_size + 1);
  else
    v_ids := array(
      select a.id from public.audit_events a
      where a.org_id = p_org_id and (p_before is null or a.id < p_before)
        and (p_person_id is null or a.user_id = p_person_id)
        and (p_action is null or a.action = p_action)
      order by a.id desc limit v_page_size + 1);
  end if;
  v_is_more := cardinality(v_ids) > v_page_size;
  return json_build_object(
    'people', private.audit_people(p_org_id), 'actions', private.audit_actions(p_org_id),
    'has_next', v_is_back or v_is_more,
    'has_previous', case when v_is_back then v_is_more else p_before is not null end,
    'items', (
      select coalesce(json_agg(json_build_object(
        'id', a.id, 'at', a.created_at, 'by', a.actor_name, 'is_platform', a.user_id is null, 'action', a.action,
        'subject_type', a.subject_type, 'subject_id', a.subject_id, 'detail', a.detail) order by a.id desc), '[]'::json)
      from public.audit_events a where a.org_id = p_org_id and a.id = any (v_ids[1:v_page_size])));
end;
$function$;

CREATE OR REPLACE FUNCTION public.reward_codes(p_id uuid, p_search text DEFAULT ''::text, p_page integer DEFAULT 1, p_status text DEFAULT NULL::text, p_sort text DEFAULT NULL::text)
 RETURNS json
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_page_size constant integer := 25;
  -- 400 pages at most: older codes are found by the search.
  v_page constant integer := least(greatest(coalesce(p_page, 1), 1), 400);
  v_skip constant integer := (v_page - 1) * v_page_size;
  v_status constant text := nullif(p_status, '');
  v_ids uuid[];
  v_org_id uuid;
  v_held text[];
  v_reward public.rewards;
  v_is_named boolean;
  v_pattern text;
  v_prefix text;
  v_has_next boolean;
  v_items json;
begin
  if v_status not in ('available', 'used', 'expired', 'held', 'cancelled') then
    raise exception 'status_unknown' using errcode = '22023';
  end if;
  select m.org_id, m.held into v_org_id, v_held
  from private.my_reading_rights('{codes.read,customers.read}', 'codes.read') m;
  select * into v_reward from public.rewards r where r.id = p_id and r.org_id = v_org_id and v_held <> '{}';
  if not found then
    return null;
  end if;
  v_is_named := 'customers.read' = any (v_held);
  -- Members who may not know whose a code is do not find it by a name either: they look by its first letters.
  if v_is_named then
    v_pattern := private.code_pattern(p_search);
  else
    v_prefix := private.code_prefix(p_search);
  end if;
  -- One more than is shown tells whether there is a next page.
  if p_sort <> '' then
    v_ids := private.sorted_codes(v_org_id, p_id, v_status, v_pattern, v_prefix, p_sort, v_skip, v_page_size + 1);
  else
    v_ids := private.code_page(v_org_id, p_id, v_status, v_pattern, v_prefix, v_skip, v_page_size + 1);
  end if;
  v_has_next := cardinality(v_ids) > v_page_size and v_page < 400;
  v_ids := v_ids[1:v_page_size];
  -- One by one, by their key: a kept plan of « any (…) » might read all codes.
  select coalesce(json_agg(json_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', private.code_state(shown), 'customer_id', case when v_is_named then shown.customer_id end, 'customer', case when v_is_named then coalesce(nullif(btrim(shown.end_user_name), ''), shown.end_user_email) end,
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'can_undo', shown.status = 'used' and private.may_restore(shown.used_at), 'verdict', shown.verdict,
    'is_goodwill', shown.spin_id is null, 'trace', t.trace) order by f.place), '[]'::json)
  into v_items
  from unnest(v_ids) with ordinality f (id, place)
  cross join lateral (
    select r.* from public.redemptions r where r.org_id = v_org_id and r.id = f.id offset 0
  ) shown
  -- Uses and returns of a code, oldest first.
  cross join lateral (
    select coalesce(json_agg(json_build_object('action', e.action, 'at', e.created_at,
      'by', private.name_of(u.raw_user_meta_data, u.email)) order by e.created_at, e.id), '[]'::json) as trace
    from public.redemption_events e left join auth.users u on u.id = e.user_id
    where e.org_id = v_org_id and e.redemption_id = shown.id
  ) t;

  return json_build_object(
    'reward', json_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type),
    'counts', private.code_counts(v_org_id, p_id),
    'can_export', (select l.csv_export from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                   where s.org_id = v_org_id),
    'page', v_page, 'has_next', v_has_next, 'items', v_items);
end;
$function$;

COMMENT ON FUNCTION "public"."audit_trail"(uuid, uuid, text, uuid, uuid) IS 'A page of what was done in an organisation, newest first: of one person, of one action, older than one entry or newer than one; with the people and actions to choose from. The shape is auditTrail of _shared/domain. Error 42501 without the permission audit.read there.';

COMMENT ON FUNCTION "public"."reward_codes"(uuid, text, integer, text, text) IS 'A page of a reward''s codes, newest first or sorted (created_at, expires_at; private.sort_key). A text is found in the code, or in its customer''s e-mail or name. Of one state (available, used, expired, held, cancelled; any when null; error 22023 for another), with the counters above the list (specification, section 2.17); the shape is rewardCodes of _shared/domain. Without the permission customers.read nobody is named, and a text is found where a code begins with it. Null when there is no such reward for the signed-in user, who needs the permission codes.read.';

REVOKE ALL ON FUNCTION "public"."audit_trail"(uuid, uuid, text, uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."audit_trail"(uuid, uuid, text, uuid, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."reward_codes"(uuid, text, integer, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."reward_codes"(uuid, text, integer, text, text) TO "authenticated";
