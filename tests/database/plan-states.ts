import type { ISql } from "postgres";
import { daysFromNow } from "../harness/fixtures.ts";

/** The states of a plan that the matrix of `plan-matrix.test.ts` walks through. */

type Row = {
  plan: "free_trial" | "pro";
  status: "active" | "past_due" | "suspended" | "canceled";
  trial_end?: Date;
  current_period_end?: Date;
  past_due_since?: Date;
  closed_at?: Date;
};

/** A state, what is open in it, and the row that says so. */
export type PlanState = {
  name: string;
  isOpen: boolean;
  isReadable: boolean;
  /** The state in which the outcomes of `expectations.ts` are stated. */
  isBase?: boolean;
  row: Row;
};

export const PLAN_STATES: readonly PlanState[] = [
  {
    name: "trial",
    isOpen: true,
    isReadable: true,
    row: { plan: "free_trial", status: "active", trial_end: daysFromNow(5) },
  },
  {
    name: "active",
    isBase: true,
    isOpen: true,
    isReadable: true,
    row: { plan: "pro", status: "active", current_period_end: daysFromNow(10) },
  },
  {
    name: "past due",
    isOpen: true,
    isReadable: true,
    row: { plan: "pro", status: "past_due", past_due_since: daysFromNow(-7) },
  },
  {
    name: "suspended",
    isOpen: false,
    isReadable: true,
    row: {
      plan: "pro",
      status: "suspended",
      past_due_since: daysFromNow(-9),
      closed_at: daysFromNow(-1),
    },
  },
  {
    name: "trial that ended, before the job has run",
    isOpen: false,
    isReadable: true,
    row: { plan: "free_trial", status: "active", trial_end: daysFromNow(-1) },
  },
  {
    name: "ended",
    isOpen: false,
    isReadable: true,
    row: { plan: "pro", status: "canceled", closed_at: daysFromNow(-29) },
  },
  {
    name: "ended 31 days ago",
    isOpen: false,
    isReadable: false,
    row: { plan: "pro", status: "canceled", closed_at: daysFromNow(-31) },
  },
];

/** Puts an organisation into a state, without what its jobs and mails would do. */
export async function putInto(sql: ISql, orgId: string, { row }: PlanState): Promise<void> {
  await sql`
    update public.subscriptions
    set plan = ${row.plan}, status = ${row.status}, trial_end = ${row.trial_end ?? null},
      current_period_end = ${row.current_period_end ?? null},
      past_due_since = ${row.past_due_since ?? null}, closed_at = ${row.closed_at ?? null}
    where org_id = ${orgId}`;
}

/** Writes that a closed plan does not stop: the account's own, leaving, the law, and what was won. */
export const ALWAYS: readonly string[] = [
  // One's own account, and one's way into another organisation.
  "accept_invitation",
  "accept_waiting_invitation",
  "create_organization",
  "create_recovery_codes",
  "copy_account_data",
  "delete_account",
  "end_session",
  "use_recovery_code",
  "save_notifications",
  "answer_push_question",
  "remove_push_device",
  "save_push_device",
  "save_push_kinds",
  // Taking access away, handing over, leaving.
  "change_member_role",
  "delete_role",
  "leave_organization",
  "remove_member",
  "revoke_api_key",
  "transfer_ownership",
  "withdraw_invitation",
  // The end, and a customer who asks for their data or to be forgotten.
  "end_organization",
  "keep_organization",
  "copy_customer_data",
  "erase_customer",
  // Codes that were won are honoured.
  "lookup_code",
  "restore_code",
];

/**
 * Reads that stay although the plan ended more than 30 days ago: one's identity, one's payments,
 * and the way out.
 */
export const ALWAYS_READ: readonly string[] = [
  // To take them away.
  "api_keys",
  "account_deletion_summary",
  "billing_overview",
  "count_recovery_codes",
  "free_slug",
  "is_slug_free",
  "my_sessions",
  "my_workspace",
  // The till's: without a campaign that runs, it shows nothing.
  "presence_board",
  "waiting_invitation",
  "deletion_summary",
  "notification_preferences",
  "organization_plans",
  "organization_brands",
  "organization_slug_redirects",
  "organizations",
  "plan_limits",
  "role_permissions",
  "roles",
  "subscriptions",
];

/**
 * Requests of a screen to the database: functions by name, writes of tables as `table operation`.
 */
type Screen = { reads: readonly string[]; writes: readonly string[] };

const ACCOUNT: Screen = { reads: [], writes: [] };

/** Every screen of a member: a route that is missing here fails the matrix. */
export const SCREENS: Readonly<Record<string, Screen>> = {
  "/closed": { reads: ["billing_overview", "deletion_summary"], writes: ["end_organization"] },
  "/encaisser": { reads: ["presence_board"], writes: ["lookup_code", "restore_code"] },
  "/dashboard": {
    reads: ["dashboard", "period_costs", "period_figures"],
    writes: [
      "keep_organization",
      "mark_review_seen",
      "rewards update",
      "set_average_basket",
      "set_return_share",
    ],
  },
  "/onboarding/": { reads: ["waiting_invitation"], writes: ["accept_waiting_invitation"] },
  "/onboarding/organization": {
    reads: ["free_slug", "is_slug_free"],
    writes: ["create_organization"],
  },
  "/onboarding/store": {
    reads: ["free_slug", "is_slug_free"],
    writes: ["create_store", "stores update"],
  },
  "/onboarding/campaign": ACCOUNT,
  "/onboarding/wheel": { reads: [], writes: ["start_campaign"] },
  "/onboarding/poster": {
    reads: ["campaign_poster", "campaigns", "scan_events"],
    writes: ["note_poster", "set_public_rating"],
  },
  "/onboarding/existing": { reads: ["my_workspace"], writes: [] },
  "/campaigns/": {
    reads: ["campaign_list", "find_anything"],
    writes: [
      "archive_campaigns",
      "campaigns delete",
      "campaigns update",
      "duplicate_campaign",
      "note_poster",
      "remove_campaign",
      "restore_campaign",
    ],
  },
  "/campaigns/new": {
    reads: ["campaign_list", "free_slug", "is_slug_free", "my_workspace"],
    writes: ["campaigns insert", "start_campaign"],
  },
  // Its tab of reviews writes what their inbox does.
  "/campaigns/$campaignId/": {
    reads: ["campaign_poster", "campaign_stats", "review_inbox"],
    writes: ["note_poster", "set_average_basket"],
  },
  "/campaigns/$campaignId/edit": {
    reads: ["campaign_editor", "free_slug", "is_slug_free"],
    writes: [
      "save_campaign",
      "wheel_segments delete",
      "wheel_segments insert",
      "wheel_segments update",
    ],
  },
  "/customers/": {
    reads: ["customer_list", "customer_count"],
    writes: ["customers insert", "withdraw_consents"],
  },
  "/customers/$customerId": {
    reads: ["customer_detail", "points_choices"],
    writes: [
      "copy_customer_data",
      "customers update",
      "erase_customer",
      "save_customer",
      "spend_points_for",
    ],
  },
  "/reviews/": {
    reads: ["review_inbox", "review_detail", "push_settings"],
    writes: [
      "answer_push_question",
      "answer_review",
      "assign_review",
      "claim_review",
      "give_goodwill_code",
      "mark_review_seen",
      "note_review",
      "save_answer_templates",
      "set_review_state",
    ],
  },
  "/rewards/": {
    reads: ["check_groups", "check_settings", "reward_list"],
    writes: [
      "archive_rewards",
      "decide_check",
      "remove_reward",
      "rewards delete",
      "rewards update",
      "save_check_settings",
    ],
  },
  "/rewards/points": {
    reads: ["points_catalogue"],
    writes: ["points_rewards delete", "points_rewards insert", "points_rewards update"],
  },
  "/rewards/new": { reads: ["campaigns"], writes: ["rewards insert"] },
  "/rewards/$rewardId/codes": { reads: ["reward_codes"], writes: ["restore_code"] },
  "/rewards/$rewardId/edit": { reads: ["rewards"], writes: ["rewards update"] },
  "/rewards/$rewardId/stats": { reads: ["reward_stats"], writes: [] },
  "/stores/": { reads: ["store_list"], writes: ["remove_store"] },
  "/stores/new": {
    reads: ["free_slug", "is_slug_free"],
    writes: ["create_store", "stores insert"],
  },
  "/stores/$storeId/edit": { reads: ["stores"], writes: ["stores update"] },
  "/stores/$storeId/settings": { reads: ["stores", "timezone_change"], writes: ["stores update"] },
  "/stores/$storeId/stats": {
    reads: ["store_stats"],
    writes: ["remove_public_rating", "set_average_basket", "set_public_rating"],
  },
  "/settings/": {
    reads: ["settings", "team", "deletion_summary", "push_settings"],
    writes: [
      "end_organization",
      "organizations update",
      "remove_push_device",
      "save_notifications",
      "save_push_device",
      "save_push_kinds",
    ],
  },
  "/settings/team": {
    reads: ["team"],
    writes: [
      "change_member_role",
      "leave_organization",
      "remove_member",
      "resend_invitation",
      "transfer_ownership",
      "withdraw_invitation",
    ],
  },
  "/settings/api": { reads: ["api_keys"], writes: ["create_api_key", "revoke_api_key"] },
  "/settings/brand": {
    reads: ["brand_settings"],
    writes: ["save_brand_color", "storage.objects insert"],
  },
  "/settings/roles": { reads: [], writes: ["delete_role", "save_role"] },
  "/settings/audit": { reads: ["audit_trail"], writes: [] },
  "/settings/password": ACCOUNT,
  "/settings/2fa": { reads: ["count_recovery_codes"], writes: ["create_recovery_codes"] },
  "/settings/account": {
    reads: ["account_deletion_summary"],
    writes: ["copy_account_data", "delete_account"],
  },
  "/settings/sessions": { reads: ["my_sessions"], writes: ["end_session"] },
  "/team/invite": { reads: ["team"], writes: ["invite_member"] },
};

/** Writes that belong to no member's screen: the page of an invitation's link, and the sign-in. */
export const ELSEWHERE: readonly string[] = ["accept_invitation", "use_recovery_code"];
