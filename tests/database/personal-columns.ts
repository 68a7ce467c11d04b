/**
 * Columns that can hold a person or open a prize, stated: every column that can hold words, and
 * every function's answer. A column or a function that is added fails `personal-data.test.ts` until
 * it stands here.
 */

/** Columns by table: `people` ask for customers.read, `codes` for codes.read, `neither` for what their table asks. */
type Columns = Readonly<Record<string, readonly string[]>>;

/**
 * Columns that identify a customer, and identifiers that lead to them. A review's words are the
 * shop's: they stand under `neither`.
 */
export const PEOPLE: Columns = {
  customers: [
    "email",
    "email_normalized",
    "first_name",
    "id",
    "last_name",
    "name",
    "name_key",
    "note",
    "phone",
    "phone_normalized",
    "search_words",
  ],
  points_ledger: ["customer_id"],
  points_spends: ["customer_id"],
  pre_spin_reviews: [
    "customer_email",
    "customer_id",
    "customer_name",
    "customer_phone",
    "end_user_email",
    "end_user_id",
  ],
  redemptions: ["customer_id", "end_user_email", "end_user_name", "words"],
  spins: ["customer_id", "end_user_email", "end_user_name"],
};

/** A code, and keys that `spin_wheel`, `record_review` and `prize_status` answer with one. */
export const CODES: Columns = {
  pre_spin_reviews: ["id", "visit_id"],
  points_spends: ["code", "code_key"],
  redemptions: ["code", "code_key", "words"],
  spins: ["nonce", "play_id", "result", "review_id"],
};

/** Columns that can hold words, and hold neither. */
export const NEITHER: Columns = {
  audit_events: ["action", "actor_name", "detail", "subject_type"],
  campaign_rules: ["content", "content_hash"],
  campaign_slug_redirects: ["slug"],
  campaigns: ["description", "name", "slug", "translations"],
  customers: [
    "consent_by",
    "consent_locale",
    "consent_organizer",
    "consent_withdrawn_by",
    "locale",
  ],
  notification_preferences: ["summary", "unsubscribe_secret"],
  organization_brands: ["color", "logo"],
  organization_members: ["role"],
  organization_plans: ["plan", "status"],
  organization_slug_redirects: ["slug"],
  organizations: ["name", "slug"],
  plan_limits: ["plan"],
  points_ledger: ["kind"],
  points_rewards: ["name", "translations"],
  points_spends: ["reward_name", "status"],
  pre_spin_reviews: ["handling", "locale", "review_text", "source"],
  // Identifiers alone: private.broadcast_change writes nothing else.
  "realtime.messages": ["event", "extension", "payload", "topic"],
  redemption_events: ["action"],
  redemptions: ["reward_name", "status", "verdict"],
  rewards: [
    "code_template",
    "description",
    "item_translations",
    "metadata",
    "name",
    "picture",
    "reward_type",
    "translations",
    "type",
  ],
  role_permissions: ["permission", "role"],
  roles: ["description", "name", "role"],
  scan_events: ["source"],
  spins: ["result_type"],
  "storage.objects": [],
  stores: [
    "address",
    "google_place_id",
    "google_review_url",
    "name",
    "review_host_confirmed",
    "review_mode",
    "slug",
    "timezone",
  ],
  subscriptions: ["billing", "plan", "status", "stripe_customer_id", "stripe_subscription_id"],
  wheel_segments: ["color", "label", "translations"],
};

/** Functions whose answers name customers to members who may read them. */
export const NAME_PEOPLE: readonly string[] = [
  "campaign_stats",
  "check_groups",
  "customer_detail",
  "customer_list",
  "dashboard",
  "find_anything",
  "lookup_code",
  "review_detail",
  "review_inbox",
  "reward_codes",
];

/** Those of them that are for people: a key of the API is answered nothing. */
export const FOR_MEMBERS: readonly string[] = ["review_detail", "review_inbox"];

/** Functions whose answers say a code that nobody had to know. */
export const SAY_CODES: readonly string[] = ["check_groups", "find_anything", "reward_codes"];

/** Functions that name a review by its own identifier, with which it is read and marked, to a caller who may read its row. */
export const NAME_REVIEWS: readonly string[] = ["customer_detail", "dashboard"];

/** The till: a member who may validate codes sees whose code they were shown. */
export const TILL = "lookup_code";
