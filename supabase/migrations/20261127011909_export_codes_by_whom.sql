-- Why: the list on the screen says who took a code and a code is good at one store; the file said neither.

set check_function_bodies = off;

DROP FUNCTION "public"."export_redemptions"(uuid, jsonb, boolean);

CREATE OR REPLACE FUNCTION public.export_redemptions(p_org_id uuid, p_filters jsonb, p_is_named boolean)
 RETURNS TABLE(code text, status text, reward text, campaign text, store text, customer text, email text, created_at text, expires_at text, used_at text, used_store text, used_by text, origin text)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
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
         CASE
             WHEN (r.used_by IS NOT NULL) THEN private.user_name(r.used_by)
             ELSE NULL::text
         END AS "case",
         CASE
             WHEN (r.spin_id IS NULL) THEN 'goodwill'::text
             ELSE 'wheel'::text
         END AS "case"
    FROM ((((public.redemptions r
      CROSS JOIN ( SELECT private.timezone_of(export_redemptions.p_org_id) AS timezone) z)
      LEFT JOIN public.campaigns c ON (((c.org_id = r.org_id) AND (c.id = r.campaign_id))))
      JOIN public.stores v ON (((v.org_id = r.org_id) AND (v.id = r.store_id))))
      LEFT JOIN public.stores s ON (((s.org_id = r.org_id) AND (s.id = r.used_store_id))))
   WHERE ((r.org_id = export_redemptions.p_org_id) AND (((export_redemptions.p_filters ->> 'reward_id'::text) IS NULL) OR (r.reward_id = ((export_redemptions.p_filters ->> 'reward_id'::text))::uuid)) AND (((export_redemptions.p_filters -> 'ids'::text) IS NULL) OR (r.id = ANY (ARRAY( SELECT (jsonb_array_elements_text((export_redemptions.p_filters -> 'ids'::text)))::uuid AS jsonb_array_elements_text)))) AND (((export_redemptions.p_filters ->> 'status'::text) IS NULL) OR ((export_redemptions.p_filters ->> 'status'::text) = COALESCE(r.verdict, private.code_state(r.*)))) AND ((private.code_pattern((export_redemptions.p_filters ->> 'search'::text)) IS NULL) OR
         CASE
             WHEN export_redemptions.p_is_named THEN (r.words ~~ private.code_pattern((export_redemptions.p_filters ->> 'search'::text)))
             ELSE starts_with(r.code_key, private.code_prefix((export_redemptions.p_filters ->> 'search'::text)))
         END))
   ORDER BY r.created_at DESC, r.id DESC;
END;

COMMENT ON FUNCTION "public"."export_redemptions"(uuid, jsonb, boolean) IS 'Codes of an organisation, newest first, as an export shows them; filters: reward_id, ids, status, search. Where nobody may be named, customers and their e-mails are null, and a search means how the code begins.';

REVOKE ALL ON FUNCTION "public"."export_redemptions"(uuid, jsonb, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."export_redemptions"(uuid, jsonb, boolean) TO "service_role";
