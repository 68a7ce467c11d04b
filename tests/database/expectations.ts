import { ACTORS, type Actor, type Outcomes, type World } from "./attempts.ts";

/**
 * Rights of each actor, stated. Each line gives the outcomes in the order of ACTORS: anon,
 * stranger, cashier, member, admin, owner.
 */

/** Reads a line of outcomes. */
function outcomes(line: string): Outcomes {
  const words = line.split(/\s+/);
  if (words.length !== ACTORS.length) throw new Error(`Not one outcome an actor: ${line}`);
  const [anon = "", stranger = "", cashier = "", member = "", admin = "", owner = ""] = words;
  return { anon, stranger, cashier, member, admin, owner };
}

const NOBODY = outcomes("denied denied denied denied denied denied");
const EVERYBODY_READS = outcomes("denied all    all    all    all    all");
const ALL_MEMBERS = outcomes("denied none   all    all    all    all");
const TEAM = outcomes("denied none   none   all    all    all");
const ADMINS = outcomes("denied none   none   none   all    all");
const TEAM_INSERTS = outcomes("denied denied denied all    all    all");

/** Expectations of one table. */
export type TableExpectation = {
  /** Column that names the organisation; null when rows belong to nobody. */
  tenantColumn: string | null;
  /** Where all rows stand, when the administrator does not see them in the table itself. */
  source?: string;
  select: Outcomes;
  /** Columns that users may give, and a row of ours as they would write it. */
  insert?: {
    columns: string[];
    values: (world: World, actor: Actor) => string[];
    expected: Outcomes;
  };
  /** Columns that users may change, and a change. */
  update?: { columns: string[]; column: string; value: string; expected: Outcomes };
  delete?: Outcomes;
};

/** Whether a table is read by functions alone: nobody who signs in has a right on it. */
export function isClosed({ select }: TableExpectation): boolean {
  return Object.values(select).every((outcome) => outcome === "denied");
}

/** Outcomes where no actor may write at all. */
export const CLOSED: Outcomes = NOBODY;

/** Schemas of which no API user reads or writes any table. */
export const CLOSED_SCHEMAS: readonly string[] = ["auth", "private", "supabase_migrations"];

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Identifiers of an organisation's users, and of their sessions: a fixture's session bears its user's. */
function usersOf({ users }: World["ours"]): string {
  return Object.values(users)
    .map(({ id }) => text(id))
    .join(", ");
}

/** A review as those see one who may read reviews. */
function reviewOf({ id }: World["ours"]): string {
  return `(select id from public.pre_spin_reviews where org_id = ${text(id)} order by id limit 1)`;
}

/** A customer as those see one who may read customers. */
function customerOf({ id }: World["ours"]): string {
  return `(select id from public.customers where org_id = ${text(id)} order by id limit 1)`;
}

const readByTeam: TableExpectation = { tenantColumn: "org_id", select: TEAM };

/** Tables and views of the schema `public`. */
export const TABLES: Readonly<Record<string, TableExpectation>> = {
  audit_events: { tenantColumn: "org_id", select: ADMINS },
  campaign_daily_stats: readByTeam,
  campaign_reward_totals: readByTeam,
  campaign_rules: readByTeam,
  campaign_slug_redirects: readByTeam,
  campaigns: {
    tenantColumn: "org_id",
    select: TEAM,
    insert: {
      columns: [
        "active",
        "description",
        "ends_at",
        "id",
        "name",
        "org_id",
        "play_interval_days",
        "slug",
        "starts_at",
        "store_id",
      ],
      values: ({ ours }) => [
        "true",
        "null",
        "null",
        "gen_random_uuid()",
        text("Rentrée"),
        text(ours.id),
        "1",
        text("rentree-essai"),
        "null",
        text(ours.storeId),
      ],
      expected: TEAM_INSERTS,
    },
    update: {
      columns: [
        "active",
        "description",
        "ends_at",
        "name",
        "play_interval_days",
        "slug",
        "starts_at",
        "store_id",
      ],
      column: "description",
      value: text("Changée"),
      expected: TEAM,
    },
    delete: ADMINS,
  },
  customers: {
    tenantColumn: "org_id",
    select: TEAM,
    insert: {
      columns: [
        "consent_marketing",
        "email",
        "first_name",
        "last_name",
        "locale",
        "name",
        "org_id",
        "phone",
        "store_id",
      ],
      values: ({ ours }) => [
        "false",
        text("nouvelle@exemple.fr"),
        text("Léa"),
        text("Roy"),
        text("fr"),
        text("Léa Roy"),
        text(ours.id),
        "null",
        text(ours.storeId),
      ],
      expected: TEAM_INSERTS,
    },
    update: {
      columns: [
        "consent_marketing",
        "email",
        "first_name",
        "last_name",
        "locale",
        "name",
        "phone",
        "store_id",
      ],
      column: "locale",
      value: text("en"),
      expected: TEAM,
    },
  },
  customer_totals: readByTeam,
  notification_preferences: {
    tenantColumn: "org_id",
    select: outcomes("denied none own own own own"),
  },
  organization_brands: { tenantColumn: "org_id", select: ALL_MEMBERS },
  organization_members: {
    tenantColumn: "org_id",
    select: outcomes("denied none own all all all"),
  },
  organization_plans: { tenantColumn: "org_id", source: "subscriptions", select: ALL_MEMBERS },
  organization_slug_redirects: { tenantColumn: "org_id", select: ALL_MEMBERS },
  organizations: {
    tenantColumn: "id",
    select: ALL_MEMBERS,
    update: {
      columns: ["name", "slug"],
      column: "name",
      value: text("Renommée"),
      expected: ADMINS,
    },
  },
  plan_limits: { tenantColumn: null, select: EVERYBODY_READS },
  points_ledger: readByTeam,
  public_ratings: { tenantColumn: "org_id", select: NOBODY },
  points_rewards: {
    tenantColumn: "org_id",
    select: TEAM,
    insert: {
      columns: ["active", "cost", "id", "name", "org_id", "stock", "translations"],
      values: ({ ours }) => [
        "true",
        "50",
        "gen_random_uuid()",
        text("Thé offert"),
        text(ours.id),
        "-1",
        text('{"en": "Free tea"}'),
      ],
      expected: TEAM_INSERTS,
    },
    update: {
      columns: ["active", "cost", "name", "stock", "translations"],
      column: "name",
      value: text("Changée"),
      expected: TEAM,
    },
    delete: ADMINS,
  },
  points_spends: readByTeam,
  answer_templates: { tenantColumn: "org_id", select: NOBODY },
  pre_spin_reviews: readByTeam,
  redemption_events: readByTeam,
  redemptions: readByTeam,
  review_actions: { tenantColumn: "org_id", select: NOBODY },
  reward_daily_stats: readByTeam,
  reward_totals: readByTeam,
  rewards: {
    tenantColumn: "org_id",
    select: TEAM,
    insert: {
      columns: [
        "active",
        "campaign_id",
        "code_template",
        "description",
        "id",
        "item_translations",
        "max_per_user",
        "metadata",
        "name",
        "org_id",
        "picture",
        "reward_type",
        "stock",
        "translations",
        "type",
        "value",
      ],
      values: ({ ours }) => [
        "true",
        text(ours.campaignId),
        text("MERCI"),
        "null",
        "gen_random_uuid()",
        text('{"en": "A tea"}'),
        "1",
        "null",
        text("Thé offert"),
        text(ours.id),
        text("coffee"),
        text("gift"),
        "-1",
        text('{"en": "Free tea"}'),
        text("gift"),
        "null",
      ],
      expected: TEAM_INSERTS,
    },
    update: {
      columns: [
        "active",
        "archived_at",
        "campaign_id",
        "code_template",
        "description",
        "item_translations",
        "max_per_user",
        "metadata",
        "name",
        "picture",
        "reward_type",
        "stock",
        "translations",
        "type",
        "value",
      ],
      column: "description",
      value: text("Changée"),
      expected: TEAM,
    },
    delete: ADMINS,
  },
  // Those of the organisation; the given ones belong to nobody.
  role_permissions: { tenantColumn: "org_id", select: ALL_MEMBERS },
  roles: { tenantColumn: "org_id", select: ALL_MEMBERS },
  scan_events: readByTeam,
  spins: readByTeam,
  stores: {
    tenantColumn: "org_id",
    select: TEAM,
    insert: {
      columns: [
        "address",
        "google_place_id",
        "google_review_url",
        "name",
        "org_id",
        "review_host_confirmed",
        "review_mode",
        "slug",
        "timezone",
      ],
      values: ({ ours }) => [
        text("2 rue de la Paix, 75002 Paris"),
        "null",
        "null",
        text("Annexe"),
        text(ours.id),
        "null",
        text("compliant"),
        text("annexe"),
        text("Europe/Paris"),
      ],
      expected: TEAM_INSERTS,
    },
    update: {
      columns: [
        "address",
        "archived_at",
        "google_place_id",
        "google_review_url",
        "name",
        "review_host_confirmed",
        "review_mode",
        "slug",
        "timezone",
      ],
      column: "address",
      value: text("3 rue de la Paix, 75002 Paris"),
      expected: TEAM,
    },
  },
  "realtime.bodies": { tenantColumn: null, select: NOBODY },
  "realtime.listeners": { tenantColumn: null, select: NOBODY },
  // Tests of who hears which messages: tests/conformance/realtime.test.ts.
  "realtime.messages": {
    tenantColumn: null,
    select: outcomes("denied none   none   none   none   none"),
    insert: {
      columns: ["extension", "topic"],
      values: () => [text("broadcast"), text("room")],
      expected: NOBODY,
    },
  },
  "realtime.pending": { tenantColumn: null, select: NOBODY },
  "realtime.presences": { tenantColumn: null, select: NOBODY },
  "realtime.processes": { tenantColumn: null, select: NOBODY },
  "storage.buckets": { tenantColumn: null, select: NOBODY },
  "storage.contents": { tenantColumn: null, select: NOBODY },
  // A picture that is to become a logo; what else may be uploaded: brand-logo.test.ts.
  "storage.objects": {
    tenantColumn: null,
    select: NOBODY,
    insert: {
      columns: ["bucket_id", "metadata", "name", "owner", "owner_id", "user_metadata", "version"],
      values: ({ ours }) => [
        text("logo-uploads"),
        "null",
        text(`${ours.id}/00000000-0000-4000-8000-000000000001`),
        "null",
        "null",
        "null",
        "null",
      ],
      expected: outcomes("denied denied denied denied all    all"),
    },
  },
  subscriptions: { tenantColumn: "org_id", select: ADMINS },
  usage_alerts: readByTeam,
  wheel_segments: {
    tenantColumn: "org_id",
    select: TEAM,
    insert: {
      columns: [
        "campaign_id",
        "color",
        "label",
        "org_id",
        "position",
        "reward_id",
        "translations",
        "weight",
      ],
      values: ({ ours }) => [
        text(ours.campaignId),
        text("#10B981"),
        text("Perdu"),
        text(ours.id),
        "1",
        "null",
        text("{}"),
        "0",
      ],
      expected: TEAM_INSERTS,
    },
    update: {
      columns: ["color", "label", "position", "reward_id", "translations", "weight"],
      column: "label",
      value: text("Changé"),
      expected: TEAM,
    },
    delete: TEAM,
  },
};

/** Expectations of one function; without a call, it is called with nulls. */
export type FunctionExpectation = { call?: (world: World) => string; expected: Outcomes };

/** For the server's own role: it acts for customers who have no account. */
const serverOnly: FunctionExpectation = { expected: NOBODY };

/** Functions of the schema `public`. */
export const FUNCTIONS: Readonly<Record<string, FunctionExpectation>> = {
  // Nobody has this link, or such an invitation; who has one: team.test.ts.
  "accept_waiting_invitation(uuid)": {
    expected: outcomes("denied TV098 TV098 TV098 TV098 TV098"),
  },
  "accept_invitation(text)": { expected: outcomes("denied TV098 TV098 TV098 TV098 TV098") },
  "api_keys(uuid)": {
    call: ({ ours }) => `select public.api_keys(${text(ours.id)}) #>> '{keys,0,scope}' as outcome`,
    expected: outcomes("denied denied denied denied read read"),
  },
  "audit_trail(uuid, uuid, text, uuid, uuid)": {
    call: ({ ours }) =>
      `select (public.audit_trail(${text(ours.id)}) -> 'items' -> 0 is not null)::text as outcome`,
    expected: outcomes("denied denied denied denied true true"),
  },
  "apply_subscription(text, text, text, text, text, timestamp with time zone, boolean, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer, timestamp with time zone)":
    serverOnly,
  "begin_api_request(text, uuid, text)": serverOnly,
  "begin_billing(uuid, uuid, text, uuid)": serverOnly,
  "begin_export_organization(uuid, uuid, text, uuid, boolean)": serverOnly,
  "begin_brand_logo(uuid, uuid, text, uuid)": serverOnly,
  "set_brand_logo(uuid, uuid, text, uuid, text, integer, integer)": serverOnly,
  "stale_logo_files(uuid)": serverOnly,
  "brand_settings(uuid)": {
    call: ({ ours }) => `select public.brand_settings(${text(ours.id)}) ->> 'included' as outcome`,
    expected: outcomes("denied denied denied denied true true"),
  },
  "save_brand_color(uuid, text)": {
    call: ({ ours }) =>
      `select public.save_brand_color(${text(ours.id)}, '#1d4ed8')::text || 'done' as outcome`,
    expected: outcomes("denied denied denied denied done done"),
  },
  "begin_export(uuid, uuid, text, text, uuid)": serverOnly,
  "campaign_editor(uuid)": {
    call: ({ ours }) =>
      `select public.campaign_editor(${text(ours.campaignId)}) ->> 'wheel' as outcome`,
    expected: outcomes("denied nothing nothing drawn drawn drawn"),
  },
  "billing_overview()": {
    call: ({ ours }) => `
      select case when b ->> 'org_id' = ${text(ours.id)} then 'ours:' else 'theirs:' end || (b ->> 'may_manage') as outcome
      from public.billing_overview() b`,
    expected: outcomes("denied theirs:true ours:false ours:false ours:true ours:true"),
  },
  "campaign_list(uuid, text, boolean, integer, text)": {
    call: ({ ours }) => `select public.campaign_list(${text(ours.id)}) ->> 'total' as outcome`,
    expected: outcomes("denied denied denied 1 1 1"),
  },
  "campaign_page(text)": serverOnly,
  "campaign_poster(uuid)": {
    call: ({ ours }) =>
      `select public.campaign_poster(${text(ours.campaignId)}) ->> 'white_label' as outcome`,
    expected: outcomes("denied nothing nothing true true true"),
  },
  "campaign_rules_page(text, integer)": serverOnly,
  "campaign_stats(uuid)": {
    call: ({ ours }) =>
      `select public.campaign_stats(${text(ours.campaignId)}) #>> '{totals,spins}' as outcome`,
    expected: outcomes("denied nothing nothing 3 3 3"),
  },
  "period_figures(uuid, date, date)": {
    call: ({ ours }) =>
      `select public.period_figures(${text(ours.id)}, current_date - 6, current_date + 1) #>> '{return,stores}' as outcome`,
    expected: outcomes("denied denied denied 1 1 1"),
  },
  "period_costs(uuid, date, date)": {
    call: ({ ours }) =>
      `select public.period_costs(${text(ours.id)}, current_date - 6, current_date + 1) #>> '{rewards}' as outcome`,
    expected: outcomes("denied denied denied 1 1 1"),
  },
  "points_catalogue(uuid)": {
    call: ({ ours }) =>
      `select public.points_catalogue(${text(ours.id)}) #>> '{items,0,name}' as outcome`,
    expected: outcomes("denied denied denied Thé Thé Thé"),
  },
  "points_choices(uuid)": {
    call: ({ ours }) => `
      select jsonb_typeof(public.points_choices(${text(ours.customerId)}) -> 'balance') as outcome`,
    expected: outcomes("denied denied denied number number number"),
  },
  "points_wallet(uuid, jsonb, text, text)": serverOnly,
  "presence_board(uuid)": {
    call: ({ ours }) => `
      select jsonb_array_length(public.presence_board(${text(ours.storeId)}) -> 'campaigns')::text as outcome`,
    expected: outcomes("denied denied 0 0 0 0"),
  },
  "prize_status(uuid, uuid, uuid)": serverOnly,
  "prove_presence(uuid, text, text, text)": serverOnly,
  "spend_points(uuid, jsonb, uuid, integer, uuid, text, text)": serverOnly,
  "spend_points_for(uuid, uuid, integer, uuid, uuid)": {
    call: ({ ours }) => `
      select public.spend_points_for(
        ${text(ours.customerId)}, ${text(ours.pointsRewardId)}, 1, ${text(ours.storeId)}, gen_random_uuid())
        ->> 'outcome' as outcome`,
    expected: outcomes(
      "denied denied denied points_cost_changed points_cost_changed points_cost_changed",
    ),
  },
  "mail_prize(uuid, uuid, uuid, text, text)": serverOnly,
  "contact_operator(uuid, text, text, text, text, text, text)": serverOnly,
  "service_status()": serverOnly,
  "change_member_role(uuid, text, uuid)": {
    call: ({ ours }) =>
      `select public.change_member_role(${text(ours.users.cashier.id)}, 'member')::text || 'done' as outcome`,
    expected: outcomes("denied denied denied denied done done"),
  },
  "closed_campaign_page(text)": serverOnly,
  "count_recovery_codes()": { expected: outcomes("denied 0 0 0 0 0") },
  // Nobody here has used a second factor; who has is told codes (second-factor.test.ts).
  "create_recovery_codes()": { expected: outcomes("denied TV010 TV010 TV010 TV010 TV010") },
  // A member who may make one gets the refusal of its missing name; the stranger has an
  // organisation too.
  "create_api_key(text, text, uuid, timestamp with time zone)": {
    expected: outcomes("denied 23502 denied denied 23502 23502"),
  },
  // Everybody here belongs to an organisation already; who does not: onboarding.test.ts.
  "create_organization(text, text)": {
    expected: outcomes("denied TV020 TV020 TV020 TV020 TV020"),
  },
  // A member who may add a store gets the refusal of its missing name.
  "create_store(text, text, text, text, text, text, text, uuid)": {
    expected: outcomes("denied 23502 denied 23502 23502 23502"),
  },
  "customer_count(uuid, jsonb)": {
    call: ({ ours }) =>
      `select public.customer_count(${text(ours.id)}, '{}') ->> 'matches' as outcome`,
    expected: outcomes("denied denied denied 1 1 1"),
  },
  "answer_review(uuid, integer, text, uuid, uuid)": {
    call: ({ ours }) => `
      select public.answer_review(${reviewOf(ours)}, 0, 'Merci de votre message.', ${text(ours.id)})
        ->> 'outcome' as outcome`,
    expected: outcomes("denied denied denied saved saved saved"),
  },
  "assign_review(uuid, uuid)": {
    call: ({ ours }) => `
      select public.assign_review(${reviewOf(ours)}, ${text(ours.users.member.id)})::text || 'done'
        as outcome`,
    expected: outcomes("denied denied denied done done done"),
  },
  "claim_review(uuid, text)": {
    call: ({ ours }) =>
      `select public.claim_review(${reviewOf(ours)}, 'take') ->> 'outcome' as outcome`,
    expected: outcomes("denied denied denied held held held"),
  },
  "customer_detail(uuid)": {
    call: ({ ours }) => `
      select case when public.customer_detail(c.id) ->> 'name' <> '' then 'named' end as outcome
      from (select (public.customer_list(${text(ours.id)}) #>> '{items,0,id}')::uuid as id) c`,
    expected: outcomes("denied denied denied named named named"),
  },
  "customer_list(uuid, jsonb, uuid, uuid, text)": {
    call: ({ ours }) =>
      `select public.customer_list(${text(ours.id)}) #>> '{totals,customers}' as outcome`,
    expected: outcomes("denied denied denied 1 1 1"),
  },
  "dashboard(uuid)": {
    call: ({ ours }) => `select public.dashboard(${text(ours.id)}) #>> '{used,users}' as outcome`,
    expected: outcomes("denied denied denied 4 4 4"),
  },
  "delete_role(text)": {
    call: ({ ours }) =>
      `select public.delete_role(${text(ours.roleId)})::text || 'done' as outcome`,
    expected: outcomes("denied denied denied denied denied done"),
  },
  "duplicate_campaign(uuid, text, uuid)": {
    call: ({ ours }) => `
      select public.duplicate_campaign(${text(ours.campaignId)}, 'Copie') ->> 'name' as outcome`,
    expected: outcomes("denied denied denied Copie Copie Copie"),
  },
  // The call carries a wrong name; a member with the permission is refused for that.
  "end_organization(text)": { expected: outcomes("denied TV106 denied denied denied TV106") },
  "end_session(uuid)": {
    call: ({ ours }) => `select public.end_session(${text(ours.users.owner.id)})::text as outcome`,
    // A session is ended by its user alone.
    expected: outcomes("denied false false false false true"),
  },
  "account_deletion_summary()": {
    call: ({ ours }) => `
      select case when public.account_deletion_summary() #>> '{organization,name}' = ${text(ours.name)} then 'ours' else 'theirs' end
        as outcome`,
    expected: outcomes("denied theirs ours ours ours ours"),
  },
  "copy_account_data()": {
    call: ({ ours }) => `
      select case when data #>> '{account,id}' in (${usersOf(ours)}) then 'ours' else 'theirs' end as outcome
      from public.copy_account_data()`,
    expected: outcomes("denied theirs ours ours ours ours"),
  },
  // Nobody's session is fresh here, and nobody names another's account.
  "delete_account(uuid)": {
    call: ({ ours }) => `select outcome from public.delete_account(${text(ours.users.owner.id)})`,
    expected: outcomes("denied denied denied denied denied proof_needed"),
  },
  "copy_customer_data(uuid)": {
    call: ({ ours }) =>
      `select jsonb_typeof(public.copy_customer_data(${customerOf(ours)})) as outcome`,
    expected: outcomes("denied denied denied denied object object"),
  },
  "erase_customer(uuid)": {
    call: ({ ours }) =>
      `select public.erase_customer(${customerOf(ours)})::text || 'done' as outcome`,
    expected: outcomes("denied denied denied denied done done"),
  },
  "export_campaigns(uuid, jsonb)": serverOnly,
  "export_customers(uuid, jsonb)": serverOnly,
  "export_redemptions(uuid, jsonb, boolean)": serverOnly,
  "export_reviews(uuid, uuid, jsonb, boolean)": serverOnly,
  "find_anything(text, integer)": {
    call: ({ ours }) =>
      `select (public.find_anything(${text(ours.code)}) #>> '{0,title}' = ${text(ours.code)})::text as outcome`,
    expected: outcomes("denied nothing nothing true true true"),
  },
  "free_slug(text, text, uuid)": {
    call: ({ ours }) =>
      `select (public.free_slug('organization', ${text(ours.slug)}) = ${text(ours.slug)})::text as outcome`,
    // The organisation's own slug counts as free.
    expected: outcomes("denied false true true true true"),
  },
  "invitation_page(text)": serverOnly,
  "invite_member(text, text, uuid)": {
    call: () =>
      `select case when public.invite_member('nouvelle@exemple.fr', 'cashier') is not null then 'sent' end as outcome`,
    // The stranger owns an organisation too, and invites into that one.
    expected: outcomes("denied sent denied denied sent sent"),
  },
  "is_slug_free(text, text, uuid)": {
    call: ({ ours }) =>
      `select public.is_slug_free('organization', ${text(ours.slug)})::text as outcome`,
    // The organisation's own slug counts as free.
    expected: outcomes("denied false true true true true"),
  },
  // A stranger is the owner of another organisation, which stays as well.
  "keep_organization()": {
    call: () => "select public.keep_organization()::text || 'done' as outcome",
    expected: outcomes("denied done denied denied denied done"),
  },
  "leave_organization()": {
    call: () => `select public.leave_organization()::text || 'done' as outcome`,
    // The last owner stays.
    expected: outcomes("denied TV104 done done done TV104"),
  },
  "keep_campaigns(uuid, text, uuid[])": serverOnly,
  "is_former_customer(text)": serverOnly,
  "lock_billing_customer(text)": serverOnly,
  "give_goodwill_code(uuid, integer, uuid, uuid)": {
    call: ({ ours }) => `
      select public.give_goodwill_code(${reviewOf(ours)}, 0, ${text(ours.rewardId)}, ${text(ours.id)})
        ->> 'outcome' as outcome`,
    expected: outcomes("denied denied denied saved saved saved"),
  },
  "lookup_code(text, uuid)": {
    call: ({ ours }) =>
      `select public.lookup_code(${text(ours.code)}, ${text(ours.storeId)}) ->> 'state' as outcome`,
    expected: outcomes("denied denied available available available available"),
  },
  "my_sessions()": {
    call: ({ ours, theirs }) => `
      select string_agg(
        case when id in (${usersOf(ours)}) then 'ours' when id in (${usersOf(theirs)}) then 'theirs' end,
        ' ') as outcome
      from public.my_sessions()`,
    expected: outcomes("denied theirs ours ours ours ours"),
  },
  "mark_review_seen(uuid, boolean)": {
    call: ({ ours }) =>
      `select public.mark_review_seen(${reviewOf(ours)}, true)::text || 'done' as outcome`,
    expected: outcomes("denied denied denied done done done"),
  },
  "note_review(uuid, text, uuid)": {
    call: ({ ours }) => `
      select public.note_review(${reviewOf(ours)}, 'À rappeler', ${text(ours.id)})::text || 'done'
        as outcome`,
    expected: outcomes("denied denied denied done done done"),
  },
  "check_groups(uuid, boolean, uuid)": {
    call: ({ ours }) => `
      select jsonb_array_length(public.check_groups(${text(ours.id)}) -> 'items')::text as outcome`,
    expected: outcomes("denied denied denied 1 1 1"),
  },
  "check_settings(uuid)": {
    call: ({ ours }) => `
      select coalesce(public.check_settings(${text(ours.campaignId)}) ->> 'device_names', 'none') as outcome`,
    expected: outcomes("denied none none 6 6 6"),
  },
  "decide_check(uuid, text, uuid[])": {
    call: ({ ours }) => `
      select public.decide_check(${text(ours.checkId)}, 'clear') ->> 'changed' as outcome`,
    expected: outcomes("denied denied denied 0 0 0"),
  },
  "save_check_settings(uuid, integer, integer, boolean, integer, time without time zone, time without time zone, text)":
    {
      call: ({ ours }) => `
      select public.save_check_settings(${text(ours.campaignId)}, 6, 8, true, 20, '02:00', '05:00')::text
        || 'done' as outcome`,
      expected: outcomes("denied denied denied done done done"),
    },
  "review_detail(uuid)": {
    call: ({ ours }) => `
      select public.review_detail((public.review_inbox(${text(ours.id)}) #>> '{items,0,id}')::uuid)
        ->> 'version' as outcome`,
    expected: outcomes("denied denied denied 0 0 0"),
  },
  "review_inbox(uuid, jsonb, uuid, uuid)": {
    call: ({ ours }) => `
      select json_array_length(public.review_inbox(${text(ours.id)}) -> 'items')::text as outcome`,
    expected: outcomes("denied denied denied 1 1 1"),
  },
  "save_answer_templates(uuid, jsonb)": {
    call: ({ ours }) => `
      select public.save_answer_templates(${text(ours.id)}, '[{"name": "Merci", "body": "Bonjour"}]')::text
        || 'done' as outcome`,
    expected: outcomes("denied denied denied done done done"),
  },
  "set_review_state(uuid, integer, text)": {
    call: ({ ours }) =>
      `select public.set_review_state(${reviewOf(ours)}, 0, 'closed') ->> 'outcome' as outcome`,
    expected: outcomes("denied denied denied saved saved saved"),
  },
  "answer_push_question(uuid)": {
    call: ({ ours }) =>
      `select public.answer_push_question(${text(ours.id)})::text || 'done' as outcome`,
    expected: outcomes("denied denied done done done done"),
  },
  "push_settings(uuid)": {
    call: ({ ours }) => `select public.push_settings(${text(ours.id)}) ->> 'is_asked' as outcome`,
    expected: outcomes("denied denied denied false false false"),
  },
  // Nobody here has this device; whose it is takes it off: push.test.ts.
  "remove_push_device(uuid)": {
    call: ({ ours }) => `select public.remove_push_device(${text(ours.id)})::text as outcome`,
    expected: outcomes("denied false false false false false"),
  },
  // A member with the right gets the refusal that this is not the key of a browser.
  "save_push_device(uuid, text, text, text, text)": {
    call: ({ ours }) => `
      select public.save_push_device(${text(ours.id)}, 'https://push.example.com/1', 'none', 'none', 'Chrome')::text
        as outcome`,
    expected: outcomes("denied denied denied 23514 23514 23514"),
  },
  "save_push_kinds(uuid, boolean, boolean)": {
    call: ({ ours }) =>
      `select public.save_push_kinds(${text(ours.id)}, true, false)::text || 'done' as outcome`,
    expected: outcomes("denied denied done done done done"),
  },
  "my_workspace()": {
    call: ({ ours, theirs }) => `
      select case public.my_workspace() -> 'organization' ->> 'id'
        when ${text(ours.id)} then 'ours' when ${text(theirs.id)} then 'theirs' end as outcome`,
    expected: outcomes("denied theirs ours ours ours ours"),
  },
  "export_organization(uuid)": serverOnly,
  "organization_page(text)": serverOnly,
  "record_feedback(uuid, text)": serverOnly,
  "record_public_click(uuid, uuid)": serverOnly,
  "record_review(uuid, uuid, text, text, text, text, boolean, integer, text, text, text)":
    serverOnly,
  "record_scan(text, text, text, text)": serverOnly,
  "redeem_code(uuid, uuid, text, text, uuid, uuid)": serverOnly,
  "redeem_code_with_key(text, text, text, uuid, uuid)": serverOnly,
  "archive_campaigns(uuid, uuid[])": {
    call: ({ ours }) =>
      `select public.archive_campaigns(${text(ours.id)}, array[${text(ours.campaignId)}]::uuid[])::text as outcome`,
    expected: outcomes("denied denied denied denied 1 1"),
  },
  "note_poster(uuid)": {
    call: ({ ours }) =>
      `select public.note_poster(${text(ours.campaignId)})::text || 'done' as outcome`,
    expected: outcomes("denied denied denied done done done"),
  },
  "archive_rewards(uuid, uuid[])": {
    call: ({ ours }) =>
      `select public.archive_rewards(${text(ours.id)}, array[${text(ours.rewardId)}]::uuid[])::text as outcome`,
    expected: outcomes("denied denied denied denied 1 1"),
  },
  "remove_campaign(uuid, boolean)": {
    call: ({ ours }) =>
      `select public.remove_campaign(${text(ours.campaignId)}, true)::text || 'done' as outcome`,
    expected: outcomes("denied denied denied denied done done"),
  },
  "remove_member(uuid)": {
    call: ({ ours }) =>
      `select public.remove_member(${text(ours.users.cashier.id)})::text || 'done' as outcome`,
    expected: outcomes("denied denied denied denied done done"),
  },
  "remove_reward(uuid, boolean)": {
    call: ({ ours }) =>
      `select public.remove_reward(${text(ours.rewardId)}, true)::text || 'done' as outcome`,
    expected: outcomes("denied denied denied denied done done"),
  },
  "remove_store(uuid, boolean)": {
    call: ({ ours }) =>
      `select public.remove_store(${text(ours.storeId)}, true)::text || 'done' as outcome`,
    expected: outcomes("denied denied denied denied done done"),
  },
  "restore_campaign(uuid)": {
    call: ({ ours }) =>
      `select public.restore_campaign(${text(ours.campaignId)})::text || 'done' as outcome`,
    expected: outcomes("denied denied denied done done done"),
  },
  // This invitation does not exist: a member with the permission is refused for that.
  "resend_invitation(uuid)": { expected: outcomes("denied TV098 denied denied TV098 TV098") },
  "restore_code(uuid)": {
    call: ({ ours }) =>
      `select public.restore_code(${text(ours.usedId)})::text || 'done' as outcome`,
    expected: outcomes("denied denied done done done done"),
  },
  "revoke_api_key(uuid)": {
    call: ({ ours }) =>
      `select public.revoke_api_key(${text(ours.keyIds.read)})::text || 'done' as outcome`,
    expected: outcomes("denied denied denied denied done done"),
  },
  "reward_codes(uuid, text, integer, text, text)": {
    call: ({ ours }) =>
      `select public.reward_codes(${text(ours.rewardId)}) -> 'counts' ->> 'total' as outcome`,
    expected: outcomes("denied nothing nothing 2 2 2"),
  },
  "reward_list(uuid, text, boolean, integer, text)": {
    call: ({ ours }) => `select public.reward_list(${text(ours.id)}) ->> 'total' as outcome`,
    expected: outcomes("denied denied denied 2 2 2"),
  },
  "reward_stats(uuid)": {
    call: ({ ours }) =>
      `select public.reward_stats(${text(ours.rewardId)}) #>> '{advanced,figures,wins}' as outcome`,
    expected: outcomes("denied nothing nothing 2 2 2"),
  },
  // A member who may change campaigns gets the answer that this version is not the last.
  "save_campaign(uuid, integer, text, text, uuid, boolean, integer, text, timestamp with time zone, timestamp with time zone, jsonb, jsonb)":
    {
      call: ({ ours }) => `
        select public.save_campaign(${text(ours.campaignId)}, 0, 'Autre', 'autre', ${text(ours.storeId)},
          false, 1) ->> 'slug' as outcome`,
      expected: outcomes("denied denied denied TV062 TV062 TV062"),
    },
  // A member with the right gets the answer that this version is not the last.
  "save_customer(uuid, integer, text, text, text, text, boolean, text)": {
    call: ({ ours }) => `
      select public.save_customer(${customerOf(ours)}, 0, 'Ana', 'Roy', 'ana@exemple.fr', null, false, null)
        ->> 'outcome' as outcome`,
    expected: outcomes("denied denied denied conflict conflict conflict"),
  },
  "monthly_report(uuid, uuid, text, uuid, date)": serverOnly,
  "public_rating_question(uuid, uuid, text, uuid)": serverOnly,
  "rate_rating_source(boolean)": serverOnly,
  "save_notifications(uuid, boolean, boolean, boolean, text, boolean)": {
    call: ({ ours }) =>
      `select public.save_notifications(${text(ours.id)}, true, false, true, 'daily')::text || 'done' as outcome`,
    expected: outcomes("denied denied done done done done"),
  },
  "save_role(text, text, text[], text)": {
    call: () =>
      `select case when public.save_role('Vendeur', '', '{codes.redeem}') <> '' then 'made' end as outcome`,
    // The stranger owns an organisation too, and makes a role there.
    expected: outcomes("denied made denied denied denied made"),
  },
  "settings(uuid)": {
    call: ({ ours }) =>
      `select case when public.settings(${text(ours.id)}) #>> '{organization,name}' = ${text(ours.name)} then 'read' end as outcome`,
    expected: outcomes("denied denied denied read read read"),
  },
  "set_average_basket(uuid, numeric, numeric)": {
    call: ({ ours }) =>
      `select public.set_average_basket(${text(ours.storeId)}, null, 12.5)::text || 'done' as outcome`,
    expected: outcomes("denied denied denied done done done"),
  },
  "set_return_share(uuid, integer, integer)": {
    call: ({ ours }) =>
      `select public.set_return_share(${text(ours.id)}, 100, 80)::text || 'done' as outcome`,
    expected: outcomes("denied denied denied denied done done"),
  },
  "set_public_rating(uuid, numeric, integer)": {
    call: ({ ours }) =>
      `select public.set_public_rating(${text(ours.storeId)}, 4.5, 120)::text || 'done' as outcome`,
    expected: outcomes("denied denied denied done done done"),
  },
  "remove_public_rating(uuid, date)": {
    call: ({ ours }) =>
      `select public.remove_public_rating(${text(ours.storeId)}, '2026-11-01')::text || 'done' as outcome`,
    expected: outcomes("denied denied denied done done done"),
  },
  "set_billing_customer(uuid, text)": serverOnly,
  "spin_wheel(uuid, uuid, uuid, text, text, text, text, text, text, text)": serverOnly,
  "start_campaign(uuid, uuid, text, text, boolean, jsonb, uuid, integer, text, timestamp with time zone, timestamp with time zone, boolean)":
    {
      call: ({ ours }) => `
      select (public.start_campaign(gen_random_uuid(), ${text(ours.storeId)}, 'Une roue', null, false,
        '[{"label": "Café", "color": "#10B981", "weight": 100, "prize": {"type": "gift", "cost_cents": 50}}]')
        ->> 'id' <> '')::text as outcome`,
      expected: outcomes("denied denied denied true true true"),
    },
  "store_list(uuid, text, boolean, integer, text)": {
    call: ({ ours }) => `select public.store_list(${text(ours.id)}) ->> 'total' as outcome`,
    expected: outcomes("denied denied denied 1 1 1"),
  },
  "store_stats(uuid)": {
    call: ({ ours }) =>
      `select public.store_stats(${text(ours.storeId)}) -> 'figures' ->> 'spins' as outcome`,
    expected: outcomes("denied nothing nothing 3 3 3"),
  },
  "team(uuid)": {
    call: ({ ours }) => `select public.team(${text(ours.id)}) ->> 'used' as outcome`,
    expected: outcomes("denied denied denied 4 4 4"),
  },
  "test_spin(uuid, text)": serverOnly,
  "timezone_change(uuid, text)": {
    call: ({ ours }) =>
      `select coalesce(jsonb_array_length(public.timezone_change(${text(ours.storeId)}, 'Indian/Reunion'))::text, 'nothing') as outcome`,
    expected: outcomes("denied nothing nothing 0 0 0"),
  },
  "transfer_ownership(uuid)": {
    call: ({ ours }) =>
      `select public.transfer_ownership(${text(ours.users.member.id)})::text || 'done' as outcome`,
    expected: outcomes("denied denied denied denied denied done"),
  },
  "use_recovery_code(text)": {
    call: () => `select outcome from public.use_recovery_code('AAAA-BBBB-CCCC-DDDD')`,
    expected: outcomes("denied unknown unknown unknown unknown unknown"),
  },
  "unsubscribe(text, text)": serverOnly,
  "consent_organizer(text)": serverOnly,
  "withdraw_own_consent(text, text)": serverOnly,
  "waiting_invitation()": {
    call: () => `select coalesce(public.waiting_invitation()::text, 'nobody') as outcome`,
    expected: outcomes("denied nobody nobody nobody nobody nobody"),
  },
  "deletion_summary(uuid)": {
    call: ({ ours }) => `select public.deletion_summary(${text(ours.id)}) ->> 'stores' as outcome`,
    expected: outcomes("denied denied denied denied denied 1"),
  },
  // A member who may write gets 0: none of these customers had agreed to anything.
  "withdraw_consents(uuid, uuid[])": {
    call: ({ ours }) =>
      `select public.withdraw_consents(${text(ours.id)}, array[${customerOf(ours)}])::text as outcome`,
    expected: outcomes("denied denied denied 0 0 0"),
  },
  "withdraw_invitation(uuid)": { expected: outcomes("denied TV098 denied denied TV098 TV098") },
};
