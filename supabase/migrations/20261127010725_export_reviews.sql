-- Why: merchants take reviews along as a file, as they do customers and codes; the server reads the names of members for it.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.user_name(p_user_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.name_of(u.raw_user_meta_data, u.email) from auth.users u where u.id = p_user_id;
$function$;

CREATE OR REPLACE FUNCTION public.begin_export(p_user_id uuid, p_session_id uuid, p_aal text, p_type text, p_org_id uuid, OUT outcome text, OUT is_named boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_permissions text[];
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select array_agg(r.permission) into v_permissions
  from public.organization_members m join public.role_permissions r on r.role = m.role
  where m.user_id = p_user_id and m.org_id = p_org_id;
  is_named := coalesce('customers.read' = any (v_permissions), false);
  outcome := case
    when not coalesce(
      case p_type when 'customers' then 'customers.read' when 'redemptions' then 'codes.read' when 'reviews' then 'reviews.read'
      end = any (v_permissions), false)
      then 'forbidden'
    when not private.is_readable(p_org_id) then 'closed'
    when not private.includes_export(p_org_id) then 'plan'
    -- One at a time for an organisation, and two for everybody: a connection each, for as long as they last.
    when not pg_try_advisory_xact_lock(hashtextextended('export of ' || p_org_id, 0))
      or not (pg_try_advisory_xact_lock(hashtextextended('export 1', 0))
        or pg_try_advisory_xact_lock(hashtextextended('export 2', 0)))
      then 'busy'
    else 'started'
  end;
end;
$function$;

CREATE OR REPLACE FUNCTION public.export_reviews(p_org_id uuid, p_member_id uuid, p_filters jsonb, p_is_named boolean)
 RETURNS TABLE(created_at text, rating integer, text text, customer text, email text, phone text, is_erased boolean, locale text, store text, campaign text, state text, assignee text, answered_at text, answered_by text, answer text, gesture text, went_public boolean)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT private.export_moment(r.created_at, z.timezone) AS export_moment,
     r.rating,
         CASE
             WHEN export_reviews.p_is_named THEN r.review_text
             ELSE NULL::text
         END AS "case",
         CASE
             WHEN export_reviews.p_is_named THEN NULLIF(btrim(r.customer_name), ''::text)
             ELSE NULL::text
         END AS "case",
         CASE
             WHEN export_reviews.p_is_named THEN r.customer_email
             ELSE NULL::text
         END AS "case",
         CASE
             WHEN export_reviews.p_is_named THEN r.customer_phone
             ELSE NULL::text
         END AS "case",
     (r.customer_id IS NULL),
     r.locale,
     s.name,
     c.name,
     private.review_state(r.*) AS review_state,
         CASE
             WHEN (r.assigned_to IS NOT NULL) THEN private.user_name(r.assigned_to)
             ELSE NULL::text
         END AS "case",
     private.export_moment(a.created_at, z.timezone) AS export_moment,
     a.actor_name,
         CASE
             WHEN export_reviews.p_is_named THEN a.body
             ELSE NULL::text
         END AS "case",
     g.reward_name,
     (r.public_click_at IS NOT NULL)
    FROM (((((public.pre_spin_reviews r
      CROSS JOIN ( SELECT private.timezone_of(export_reviews.p_org_id) AS timezone) z)
      JOIN public.stores s ON (((s.org_id = r.org_id) AND (s.id = r.store_id))))
      JOIN public.campaigns c ON (((c.org_id = r.org_id) AND (c.id = r.campaign_id))))
      LEFT JOIN LATERAL ( SELECT o.created_at,
             o.actor_name,
             o.body
            FROM public.review_actions o
           WHERE ((o.org_id = r.org_id) AND (o.review_id = r.id) AND (o.kind = ANY (ARRAY['answer'::text, 'answered'::text])))
           ORDER BY o.id DESC
          LIMIT 1) a ON (true))
      LEFT JOIN LATERAL ( SELECT d.reward_name
            FROM (public.review_actions o
              JOIN public.redemptions d ON (((d.org_id = o.org_id) AND (d.id = o.redemption_id))))
           WHERE ((o.org_id = r.org_id) AND (o.review_id = r.id) AND (o.kind = 'gesture'::text))) g ON (true))
   WHERE ((r.org_id = export_reviews.p_org_id) AND private.is_in_inbox(r.*, export_reviews.p_filters, export_reviews.p_member_id) AND ((private.search_pattern((export_reviews.p_filters ->> 'search'::text)) IS NULL) OR (export_reviews.p_is_named AND (((r.review_text IS NOT NULL) AND private.has_review_words(r.review_text, private.search_pattern((export_reviews.p_filters ->> 'search'::text)), private.pattern_hint(private.search_pattern((export_reviews.p_filters ->> 'search'::text))))) OR ( SELECT (u.search_words ~~ private.search_pattern((export_reviews.p_filters ->> 'search'::text)))
            FROM public.customers u
           WHERE ((u.org_id = r.org_id) AND (u.id = r.customer_id)))))))
   ORDER BY r.created_at DESC, r.id DESC;
END;

CREATE OR REPLACE FUNCTION public.review_inbox(p_org_id uuid, p_filters jsonb DEFAULT '{}'::jsonb, p_after uuid DEFAULT NULL::uuid, p_before uuid DEFAULT NULL::uuid)
 RETURNS json
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_held text[];
  v_is_named boolean;
  v_page record;
begin
  select r.held into v_held from private.my_reading_rights('{reviews.read,customers.read}', 'reviews.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held <> '{}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_is_named := 'customers.read' = any (v_held);
  select * into v_page from private.inbox_page(p_org_id, v_filters, p_after, p_before, v_user_id, v_is_named, 25);

  return json_build_object(
    'has_previous', v_page.has_previous,
    'has_next', v_page.has_next,
    'can_export', private.includes_export(p_org_id),
    'stores', coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id), '[]'::json),
    'campaigns', coalesce((select json_agg(json_build_object('id', c.id, 'name', c.name) order by c.name, c.id)
      from public.campaigns c where c.org_id = p_org_id), '[]'::json),
    'items', coalesce((
      select json_agg(json_build_object('id', private.alias_of(r.id), 'at', r.created_at, 'rating', r.rating,
        'text', case when v_is_named then r.review_text end,
        'name', case when v_is_named then coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) end,
        'is_erased', r.customer_id is null,
        'locale', r.locale, 'store', s.name, 'campaign', c.name, 'state', r.state, 'is_seen', r.seen_at is not null,
        'assignee', case when r.assigned_to is not null then private.user_name(r.assigned_to) end,
        'is_mine', coalesce(r.assigned_to = v_user_id, false),
        'writer', case when r.is_claimed then private.user_name(r.claimed_by) end)
        order by r.created_at desc, r.id desc)
      from unnest(v_page.ids) shown (id)
      -- « offset 0 »: one by one, where a kept plan might read all of a large organisation's.
      cross join lateral (
        select o.*, private.review_state(o) as state,
          o.claimed_by is not null and private.is_claimed(o, v_user_id) as is_claimed
        from public.pre_spin_reviews o where o.org_id = p_org_id and o.id = shown.id offset 0
      ) r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id
      join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
    ), '[]'::json));
end;
$function$;

COMMENT ON FUNCTION "public"."begin_export"(uuid, uuid, text, text, uuid) IS 'Whether a user may export customers (customers.read), redemptions (codes.read) or reviews (reviews.read) of an organisation now, with the session and the assurance level of their token. Whether customers may be named to them. The place is held until the transaction ends. Outcomes: started, or why not: session_ended, second_factor_required, forbidden, closed (the plan ended 30 days ago), plan (none that exports), busy (another export runs).';

COMMENT ON FUNCTION "public"."export_reviews"(uuid, uuid, jsonb, boolean) IS 'Reviews of an organisation that pass the filters of the inbox (private.is_in_inbox; « mine » are those that the member takes care of) and the search, newest first, as an export shows them: with the last answer, and the reward of a code that was given. Other than in the list, a search finds all there are. Words and customers are null, and a search finds nothing, where nobody may be named.';

REVOKE ALL ON FUNCTION "private"."has_review_words"(text, text, text) FROM "service_role";

GRANT EXECUTE ON FUNCTION "private"."has_review_words"(text, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."is_in_inbox"(public.pre_spin_reviews, jsonb, uuid) FROM "service_role";

GRANT EXECUTE ON FUNCTION "private"."is_in_inbox"(public.pre_spin_reviews, jsonb, uuid) TO "service_role";

REVOKE ALL ON FUNCTION "private"."pattern_hint"(text) FROM "service_role";

GRANT EXECUTE ON FUNCTION "private"."pattern_hint"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."review_state"(public.pre_spin_reviews) FROM "service_role";

GRANT EXECUTE ON FUNCTION "private"."review_state"(public.pre_spin_reviews) TO "service_role";

REVOKE ALL ON FUNCTION "private"."user_name"(uuid) FROM "service_role";

GRANT EXECUTE ON FUNCTION "private"."user_name"(uuid) TO "service_role";

REVOKE ALL ON FUNCTION "public"."export_reviews"(uuid, uuid, jsonb, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."export_reviews"(uuid, uuid, jsonb, boolean) TO "service_role";
