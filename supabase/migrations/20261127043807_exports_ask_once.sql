-- An export asked for the clock of its organisation three times a row, and for the name of each who took a code: it asks once.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.export_customers(p_org_id uuid, p_filters jsonb)
 RETURNS TABLE(first_name text, last_name text, name text, email text, phone text, consent boolean, consent_at text, locale text, store text, reviews integer, rating_sum integer, spins integer, wins integer, redemptions integer, last_activity_at text, created_at text)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 WITH clock AS MATERIALIZED (
          SELECT private.timezone_of(export_customers.p_org_id) AS timezone
         )
  SELECT c.first_name,
     c.last_name,
     c.name,
     c.email,
     c.phone,
     c.consent_marketing,
     private.export_moment(c.consent_at, z.timezone) AS export_moment,
     c.locale,
     s.name,
     c.review_count,
     c.rating_sum,
     c.spin_count,
     private.customer_wins(c.org_id, c.id) AS customer_wins,
     c.redemption_count,
     private.export_moment(c.last_activity_at, z.timezone) AS export_moment,
     private.export_moment(c.created_at, z.timezone) AS export_moment
    FROM ((public.customers c
      CROSS JOIN clock z)
      LEFT JOIN public.stores s ON (((s.org_id = c.org_id) AND (s.id = c.store_id))))
   WHERE ((c.org_id = export_customers.p_org_id) AND private.matches_filters(c.*, export_customers.p_filters) AND (((export_customers.p_filters -> 'ids'::text) IS NULL) OR (c.id = ANY (ARRAY( SELECT (jsonb_array_elements_text((export_customers.p_filters -> 'ids'::text)))::uuid AS jsonb_array_elements_text)))))
   ORDER BY c.created_at DESC, c.id DESC;
END;

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
     private.export_moment(r.expires_at, z.timezone) AS export_moment,
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
   WHERE ((r.org_id = export_redemptions.p_org_id) AND (((export_redemptions.p_filters ->> 'reward_id'::text) IS NULL) OR (r.reward_id = ((export_redemptions.p_filters ->> 'reward_id'::text))::uuid)) AND (((export_redemptions.p_filters -> 'ids'::text) IS NULL) OR (r.id = ANY (ARRAY( SELECT (jsonb_array_elements_text((export_redemptions.p_filters -> 'ids'::text)))::uuid AS jsonb_array_elements_text)))) AND (((export_redemptions.p_filters ->> 'status'::text) IS NULL) OR ((export_redemptions.p_filters ->> 'status'::text) = COALESCE(r.verdict, private.code_state(r.*)))) AND ((private.code_pattern((export_redemptions.p_filters ->> 'search'::text)) IS NULL) OR
         CASE
             WHEN export_redemptions.p_is_named THEN (r.words ~~ private.code_pattern((export_redemptions.p_filters ->> 'search'::text)))
             ELSE starts_with(r.code_key, private.code_prefix((export_redemptions.p_filters ->> 'search'::text)))
         END))
   ORDER BY r.created_at DESC, r.id DESC;
END;

CREATE OR REPLACE FUNCTION public.export_reviews(p_org_id uuid, p_member_id uuid, p_filters jsonb, p_is_named boolean)
 RETURNS TABLE(created_at text, rating integer, text text, customer text, email text, phone text, is_erased boolean, locale text, store text, campaign text, state text, assignee text, answered_at text, answered_by text, answer text, gesture text, went_public boolean)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 WITH clock AS MATERIALIZED (
          SELECT private.timezone_of(export_reviews.p_org_id) AS timezone
         )
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
     w.name,
     private.export_moment(a.created_at, z.timezone) AS export_moment,
     a.actor_name,
         CASE
             WHEN export_reviews.p_is_named THEN a.body
             ELSE NULL::text
         END AS "case",
     g.reward_name,
     (r.public_click_at IS NOT NULL)
    FROM ((((((public.pre_spin_reviews r
      CROSS JOIN clock z)
      JOIN public.stores s ON (((s.org_id = r.org_id) AND (s.id = r.store_id))))
      JOIN public.campaigns c ON (((c.org_id = r.org_id) AND (c.id = r.campaign_id))))
      LEFT JOIN LATERAL ( SELECT private.user_name(r.assigned_to) AS name
           WHERE (r.assigned_to IS NOT NULL)
          OFFSET 0) w ON (true))
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
