-- Why: a code ends with its store's day, but screens and exports showed that moment in another time zone, where it is the next day.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.review_gesture(p_review public.pre_spin_reviews)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_given public.redemptions;
begin
  select d.* into v_given
  from public.review_actions a
  join public.redemptions d on d.org_id = a.org_id and d.id = a.redemption_id
  where a.org_id = p_review.org_id and a.review_id = p_review.id and a.kind = 'gesture';
  if found then
    return json_build_object('rewards', null, 'given', json_build_object('reward', v_given.reward_name,
      'code', case when p_review.org_id in (select private.my_org_ids('codes.read')) then v_given.code end,
      'status', private.code_state(v_given), 'expires_at', v_given.expires_at, 'timezone', (
        select s.timezone from public.stores s where s.org_id = v_given.org_id and s.id = v_given.store_id),
      'used_at', v_given.used_at));
  end if;
  return json_build_object('given', null, 'rewards', case
    when p_review.customer_id is not null and private.may_give_goodwill(p_review.org_id) then coalesce((
      select json_agg(json_build_object('id', w.id, 'name', w.name, 'campaign', c.name, 'stock', w.stock,
        'days', private.validity_days(w.type, w.metadata)) order by w.is_here desc, c.name, w.name, w.id)
      from (
        select r.*, r.campaign_id = p_review.campaign_id as is_here
        from public.rewards r
        where r.org_id = p_review.org_id and r.active and r.archived_at is null and r.type <> 'points' and r.stock <> 0
        order by is_here desc, r.created_at desc, r.id limit 100
      ) w
      join public.campaigns c on c.org_id = w.org_id and c.id = w.campaign_id), '[]'::json) end);
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
  v_patterns text[];
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
    v_patterns := private.code_patterns(p_search);
  else
    v_prefix := private.code_prefix(p_search);
  end if;
  -- One more than is shown tells whether there is a next page.
  if p_sort <> '' then
    v_ids := private.sorted_codes(v_org_id, p_id, v_status, v_patterns, v_prefix, p_sort, v_skip, v_page_size + 1);
  else
    v_ids := private.code_page(v_org_id, p_id, v_status, v_patterns, v_prefix, v_skip, v_page_size + 1);
  end if;
  v_has_next := cardinality(v_ids) > v_page_size and v_page < 400;
  v_ids := v_ids[1:v_page_size];
  -- One by one, by their key: a kept plan of « any (…) » might read all codes.
  select coalesce(json_agg(json_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', private.code_state(shown), 'customer_id', case when v_is_named then shown.customer_id end,
    'customer', case when v_is_named then private.name_or_email(shown.end_user_name, shown.end_user_email) end,
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'timezone', (select s.timezone from public.stores s where s.org_id = v_org_id and s.id = shown.store_id),
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
    'can_export', private.includes_export(v_org_id),
    'page', v_page, 'has_next', v_has_next, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.export_redemptions(p_org_id uuid, p_filters jsonb, p_is_named boolean)
 RETURNS TABLE(code text, status text, reward text, campaign text, store text, customer text, email text, created_at text, expires_at text, used_at text, used_store text, used_by text, origin text)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 WITH clock AS MATERIALIZED (
          SELECT private.timezone_of(export_redemptions.p_org_id) AS timezone
         )
  SELECT r.code,
     COALESCE(r.verdict, private.code_state(r.*)) AS "coalesce",
     r.reward_name,
     c.name,
     v.name,
         CASE
             WHEN export_redemptions.p_is_named THEN r.end_user_name
             ELSE NULL::text
         END AS "case",
         CASE
             WHEN export_redemptions.p_is_named THEN r.end_user_email
             ELSE NULL::text
         END AS "case",
     private.export_moment(r.created_at, z.timezone) AS export_moment,
     private.export_moment(r.expires_at, v.timezone) AS export_moment,
     private.export_moment(r.used_at, z.timezone) AS export_moment,
     s.name,
     u.name,
         CASE
             WHEN (r.spin_id IS NULL) THEN 'goodwill'::text
             ELSE 'wheel'::text
         END AS "case"
    FROM (((((public.redemptions r
      CROSS JOIN clock z)
      LEFT JOIN public.campaigns c ON (((c.org_id = r.org_id) AND (c.id = r.campaign_id))))
      JOIN public.stores v ON (((v.org_id = r.org_id) AND (v.id = r.store_id))))
      LEFT JOIN public.stores s ON (((s.org_id = r.org_id) AND (s.id = r.used_store_id))))
      LEFT JOIN LATERAL ( SELECT private.user_name(r.used_by) AS name
           WHERE (r.used_by IS NOT NULL)
          OFFSET 0) u ON (true))
   WHERE ((r.org_id = export_redemptions.p_org_id) AND (((export_redemptions.p_filters ->> 'reward_id'::text) IS NULL) OR (r.reward_id = ((export_redemptions.p_filters ->> 'reward_id'::text))::uuid)) AND (((export_redemptions.p_filters -> 'ids'::text) IS NULL) OR (r.id = ANY (ARRAY( SELECT (jsonb_array_elements_text((export_redemptions.p_filters -> 'ids'::text)))::uuid AS jsonb_array_elements_text)))) AND (((export_redemptions.p_filters ->> 'status'::text) IS NULL) OR ((export_redemptions.p_filters ->> 'status'::text) = COALESCE(r.verdict, private.code_state(r.*)))) AND ((private.code_patterns((export_redemptions.p_filters ->> 'search'::text)) IS NULL) OR
         CASE
             WHEN export_redemptions.p_is_named THEN (r.words ~~ ANY (private.code_patterns((export_redemptions.p_filters ->> 'search'::text))))
             ELSE starts_with(r.code_key, private.code_prefix((export_redemptions.p_filters ->> 'search'::text)))
         END))
   ORDER BY r.created_at DESC, r.id DESC;
END;
