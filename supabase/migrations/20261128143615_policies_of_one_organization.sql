-- Requests of the data API for the newest rows put all of an organisation in order: an index gives no order for several organisations.

set check_function_bodies = off;

DROP POLICY "Owners and admins read the audit trail" ON "public"."audit_events";

DROP POLICY "Members read the figures" ON "public"."campaign_daily_stats";

DROP POLICY "Members read the totals of campaigns' rewards" ON "public"."campaign_reward_totals";

DROP POLICY "Members read the rules" ON "public"."campaign_rules";

DROP POLICY "Members read the former slugs" ON "public"."campaign_slug_redirects";

DROP POLICY "Members add campaigns" ON "public"."campaigns";

DROP POLICY "Members change campaigns" ON "public"."campaigns";

DROP POLICY "Members read the campaigns" ON "public"."campaigns";

DROP POLICY "Owners and admins delete campaigns" ON "public"."campaigns";

DROP POLICY "Members read the totals of customers" ON "public"."customer_totals";

DROP POLICY "Members add customers" ON "public"."customers";

DROP POLICY "Members change customers" ON "public"."customers";

DROP POLICY "Members read the customers" ON "public"."customers";

DROP POLICY "Members read their own notification preferences" ON "public"."notification_preferences";

DROP POLICY "Members read the brand of their organisation" ON "public"."organization_brands";

DROP POLICY "Members read their own membership and, if they may, the team" ON "public"."organization_members";

DROP POLICY "Members read the former slugs of their organisation" ON "public"."organization_slug_redirects";

DROP POLICY "Members read their organisation" ON "public"."organizations";

DROP POLICY "Owners and admins update their organisation" ON "public"."organizations";

DROP POLICY "Members read the points" ON "public"."points_ledger";

DROP POLICY "Members add rewards for points" ON "public"."points_rewards";

DROP POLICY "Members change rewards for points" ON "public"."points_rewards";

DROP POLICY "Members read the rewards for points" ON "public"."points_rewards";

DROP POLICY "Owners and admins delete rewards for points" ON "public"."points_rewards";

DROP POLICY "Members read the codes for points" ON "public"."points_spends";

DROP POLICY "Members read the reviews" ON "public"."pre_spin_reviews";

DROP POLICY "Members read the trace of codes" ON "public"."redemption_events";

DROP POLICY "Members read the codes" ON "public"."redemptions";

DROP POLICY "Members read the daily figures of rewards" ON "public"."reward_daily_stats";

DROP POLICY "Members read the totals of rewards" ON "public"."reward_totals";

DROP POLICY "Members add rewards" ON "public"."rewards";

DROP POLICY "Members change rewards" ON "public"."rewards";

DROP POLICY "Members read the rewards" ON "public"."rewards";

DROP POLICY "Owners and admins delete rewards" ON "public"."rewards";

DROP POLICY "Signed-in users read what the roles may do that they read" ON "public"."role_permissions";

DROP POLICY "Signed-in users read the given roles and those of their organis" ON "public"."roles";

DROP POLICY "Members read the scans" ON "public"."scan_events";

DROP POLICY "Members read the spins" ON "public"."spins";

DROP POLICY "Members add stores" ON "public"."stores";

DROP POLICY "Members change stores" ON "public"."stores";

DROP POLICY "Members read the stores" ON "public"."stores";

DROP POLICY "Owners and admins read the subscription" ON "public"."subscriptions";

DROP POLICY "Members read the usage alerts" ON "public"."usage_alerts";

DROP POLICY "Members add segments" ON "public"."wheel_segments";

DROP POLICY "Members change segments" ON "public"."wheel_segments";

DROP POLICY "Members read the wheel" ON "public"."wheel_segments";

DROP POLICY "Members remove segments" ON "public"."wheel_segments";

CREATE POLICY "Owners and admins read the audit trail" ON "public"."audit_events" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('audit.read'::text) AS my_org_ids)));

CREATE POLICY "Members read the figures" ON "public"."campaign_daily_stats" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT o.o
   FROM private.my_org_ids('activity.read'::text) o(o)
  WHERE private.has_feature(o.o, 'advanced_analytics'::text))));

CREATE POLICY "Members read the totals of campaigns' rewards" ON "public"."campaign_reward_totals" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('activity.read'::text) AS my_org_ids)));

CREATE POLICY "Members read the rules" ON "public"."campaign_rules" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('campaigns.read'::text) AS my_org_ids)));

CREATE POLICY "Members read the former slugs" ON "public"."campaign_slug_redirects" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('campaigns.read'::text) AS my_org_ids)));

CREATE POLICY "Members add campaigns" ON "public"."campaigns" FOR INSERT TO "authenticated" WITH CHECK ((org_id = ( SELECT private.my_org_ids('campaigns.write'::text) AS my_org_ids)));

CREATE POLICY "Members change campaigns" ON "public"."campaigns" FOR UPDATE TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('campaigns.write'::text) AS my_org_ids))) WITH CHECK ((org_id = ( SELECT private.my_org_ids('campaigns.write'::text) AS my_org_ids)));

CREATE POLICY "Members read the campaigns" ON "public"."campaigns" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('campaigns.read'::text) AS my_org_ids)));

CREATE POLICY "Owners and admins delete campaigns" ON "public"."campaigns" FOR DELETE TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('campaigns.delete'::text) AS my_org_ids)));

CREATE POLICY "Members read the totals of customers" ON "public"."customer_totals" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('customers.read'::text) AS my_org_ids)));

CREATE POLICY "Members add customers" ON "public"."customers" FOR INSERT TO "authenticated" WITH CHECK ((org_id = ( SELECT private.my_org_ids('customers.write'::text) AS my_org_ids)));

CREATE POLICY "Members change customers" ON "public"."customers" FOR UPDATE TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('customers.write'::text) AS my_org_ids))) WITH CHECK ((org_id = ( SELECT private.my_org_ids('customers.write'::text) AS my_org_ids)));

CREATE POLICY "Members read the customers" ON "public"."customers" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('customers.read'::text) AS my_org_ids)));

CREATE POLICY "Members read their own notification preferences" ON "public"."notification_preferences" FOR SELECT TO "authenticated" USING (((org_id = ( SELECT private.my_org_ids() AS my_org_ids)) AND (user_id = ( SELECT private.my_user_id() AS my_user_id))));

CREATE POLICY "Members read the brand of their organisation" ON "public"."organization_brands" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids() AS my_org_ids)));

CREATE POLICY "Members read their own membership and, if they may, the team" ON "public"."organization_members" FOR SELECT TO "authenticated" USING (((user_id = ( SELECT private.my_user_id() AS my_user_id)) OR (org_id = ( SELECT private.my_org_ids('team.read'::text) AS my_org_ids))));

CREATE POLICY "Members read the former slugs of their organisation" ON "public"."organization_slug_redirects" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids() AS my_org_ids)));

CREATE POLICY "Members read their organisation" ON "public"."organizations" FOR SELECT TO "authenticated" USING ((id = ( SELECT private.my_org_ids() AS my_org_ids)));

CREATE POLICY "Owners and admins update their organisation" ON "public"."organizations" FOR UPDATE TO "authenticated" USING ((id = ( SELECT private.my_org_ids('organization.update'::text) AS my_org_ids))) WITH CHECK ((id = ( SELECT private.my_org_ids('organization.update'::text) AS my_org_ids)));

CREATE POLICY "Members read the points" ON "public"."points_ledger" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('customers.read'::text) AS my_org_ids)));

CREATE POLICY "Members add rewards for points" ON "public"."points_rewards" FOR INSERT TO "authenticated" WITH CHECK ((org_id = ( SELECT private.my_org_ids('rewards.write'::text) AS my_org_ids)));

CREATE POLICY "Members change rewards for points" ON "public"."points_rewards" FOR UPDATE TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('rewards.write'::text) AS my_org_ids))) WITH CHECK ((org_id = ( SELECT private.my_org_ids('rewards.write'::text) AS my_org_ids)));

CREATE POLICY "Members read the rewards for points" ON "public"."points_rewards" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('rewards.read'::text) AS my_org_ids)));

CREATE POLICY "Owners and admins delete rewards for points" ON "public"."points_rewards" FOR DELETE TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('rewards.delete'::text) AS my_org_ids)));

CREATE POLICY "Members read the codes for points" ON "public"."points_spends" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('customers.read'::text) AS my_org_ids
INTERSECT
 SELECT private.my_org_ids('codes.read'::text) AS my_org_ids)));

CREATE POLICY "Members read the reviews" ON "public"."pre_spin_reviews" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('customers.read'::text) AS my_org_ids
INTERSECT
 SELECT private.my_org_ids('codes.read'::text) AS my_org_ids)));

CREATE POLICY "Members read the trace of codes" ON "public"."redemption_events" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('codes.read'::text) AS my_org_ids)));

CREATE POLICY "Members read the codes" ON "public"."redemptions" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('customers.read'::text) AS my_org_ids
INTERSECT
 SELECT private.my_org_ids('codes.read'::text) AS my_org_ids)));

CREATE POLICY "Members read the daily figures of rewards" ON "public"."reward_daily_stats" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT o.o
   FROM private.my_org_ids('activity.read'::text) o(o)
  WHERE private.has_feature(o.o, 'advanced_analytics'::text))));

CREATE POLICY "Members read the totals of rewards" ON "public"."reward_totals" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('activity.read'::text) AS my_org_ids)));

CREATE POLICY "Members add rewards" ON "public"."rewards" FOR INSERT TO "authenticated" WITH CHECK ((org_id = ( SELECT private.my_org_ids('rewards.write'::text) AS my_org_ids)));

CREATE POLICY "Members change rewards" ON "public"."rewards" FOR UPDATE TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('rewards.write'::text) AS my_org_ids))) WITH CHECK ((org_id = ( SELECT private.my_org_ids('rewards.write'::text) AS my_org_ids)));

CREATE POLICY "Members read the rewards" ON "public"."rewards" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('rewards.read'::text) AS my_org_ids)));

CREATE POLICY "Owners and admins delete rewards" ON "public"."rewards" FOR DELETE TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('rewards.delete'::text) AS my_org_ids)));

CREATE POLICY "Signed-in users read what the roles may do that they read" ON "public"."role_permissions" FOR SELECT TO "authenticated" USING (((org_id = ( SELECT private.my_org_ids() AS my_org_ids)) OR (org_id IS NULL)));

CREATE POLICY "Signed-in users read the given roles and those of their organis" ON "public"."roles" FOR SELECT TO "authenticated" USING (((org_id = ( SELECT private.my_org_ids() AS my_org_ids)) OR (org_id IS NULL)));

CREATE POLICY "Members read the scans" ON "public"."scan_events" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('activity.read'::text) AS my_org_ids)));

CREATE POLICY "Members read the spins" ON "public"."spins" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('customers.read'::text) AS my_org_ids
INTERSECT
 SELECT private.my_org_ids('codes.read'::text) AS my_org_ids)));

CREATE POLICY "Members add stores" ON "public"."stores" FOR INSERT TO "authenticated" WITH CHECK ((org_id = ( SELECT private.my_org_ids('stores.write'::text) AS my_org_ids)));

CREATE POLICY "Members change stores" ON "public"."stores" FOR UPDATE TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('stores.write'::text) AS my_org_ids))) WITH CHECK ((org_id = ( SELECT private.my_org_ids('stores.write'::text) AS my_org_ids)));

CREATE POLICY "Members read the stores" ON "public"."stores" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('stores.read'::text) AS my_org_ids)));

CREATE POLICY "Owners and admins read the subscription" ON "public"."subscriptions" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('billing.read'::text) AS my_org_ids)));

CREATE POLICY "Members read the usage alerts" ON "public"."usage_alerts" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('activity.read'::text) AS my_org_ids)));

CREATE POLICY "Members add segments" ON "public"."wheel_segments" FOR INSERT TO "authenticated" WITH CHECK ((org_id = ( SELECT private.my_org_ids('campaigns.write'::text) AS my_org_ids)));

CREATE POLICY "Members change segments" ON "public"."wheel_segments" FOR UPDATE TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('campaigns.write'::text) AS my_org_ids))) WITH CHECK ((org_id = ( SELECT private.my_org_ids('campaigns.write'::text) AS my_org_ids)));

CREATE POLICY "Members read the wheel" ON "public"."wheel_segments" FOR SELECT TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('campaigns.read'::text) AS my_org_ids)));

CREATE POLICY "Members remove segments" ON "public"."wheel_segments" FOR DELETE TO "authenticated" USING ((org_id = ( SELECT private.my_org_ids('campaigns.write'::text) AS my_org_ids)));

COMMENT ON FUNCTION "private"."my_org_ids"(text) IS 'Organisations in which the signed-in user has a permission (any role when null); for a reading key of the API its own. Such a key reads shops, campaigns and customers, never the team or billing. Policies call it as (select …): it runs once a statement, and an index serves with its order, which it would not for any (array(…)). Errors of my_user_id(); TV085 or TV190 (private.refuse_closed) for a permission to write, TV120 for one to read 30 days after the end of a plan.';
