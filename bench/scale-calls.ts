import { DAY_MS } from "../supabase/functions/_shared/domain/text/durations.ts";

type Args = Record<string, unknown>;

/** Call of a function of the data API by a screen. */
type Rpc = {
  /** Screen and what was typed or chosen on it. */
  name: string;
  /** SQL function. */
  rpc: string;
  /** Its arguments in an organisation; null: the screen needs something that an empty shop has not. */
  large: Args;
  page: Args;
  empty: Args | null;
  /** Most that it may cost of the empty shop's, where that is not what all are held to. */
  most?: number;
};

/** Read of a table by a screen. */
type Read = {
  name: string;
  /** Address at the data API, in an organisation. */
  large: string;
  page: string;
  empty: string;
  /** The same as a statement, for its plan. */
  sql: string;
  most?: number;
};

/** Request of one screen to the data API. */
export type Call = Rpc | Read;

/** Identifier number `number` of a kind of thing, as `scale.sql` makes them. */
function id(kind: number, number: number): string {
  return `${String(kind + 50).padStart(8, "0")}-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** Most that a list costs which came once lists were measured: the inbox, checks, points and sorted columns. */
const NEW_LIST_RATIO = 1.5;

/** Number of the organisation that has one page of each list, as `scale.sql` makes its things. */
const PAGE_SHOP = 999;

/** Identifiers of the large organisation, of the one with a page, and of the empty one. */
const LARGE = id(1, 0);
const PAGE = id(1, PAGE_SHOP);
const EMPTY = id(1, 999_999);

/** Number of the one store, campaign and reward of the empty organisation. */
const NEWCOMER = 999_999_999;

/** A review of that organisation. */
const PAGE_REVIEW = 99_900_000_014;

/** Kinds of things that both shops have, and how many numbers of each an organisation takes. */
const STEPS: Record<number, number> = { 2: 100, 3: 1_000, 4: 10_000, 5: 1_000_000, 11: 1_000 };

/** Identifier in the shop with one page that corresponds to one of the large organisation. */
function pageId(kind: number, number: number): string {
  return id(kind, PAGE_SHOP * (STEPS[kind] ?? 0) + number);
}

const ofPage: ReadonlyMap<string, string> = new Map(
  Object.keys(STEPS).flatMap((kind) =>
    [...Array(20).keys()].map((number) => [id(+kind, number), pageId(+kind, number)] as const),
  ),
);

/** Arguments that lead past the first page. */
const PAGES = ["p_page", "p_after", "p_before"];

/** The same question to the shop with one page: of its own things, and of its first page, which it has alone. */
function onePage(args: Args): Args {
  return Object.fromEntries(
    Object.entries(args)
      .filter(([key]) => !PAGES.includes(key))
      .map(([key, value]) => [key, inPage(value)]),
  );
}

function inPage(value: unknown): unknown {
  if (typeof value === "string") return ofPage.get(value) ?? value;
  return value !== null && typeof value === "object" ? onePage({ ...value }) : value;
}

/** A screen of a whole organisation. */
function list(name: string, rpc: string, args: Args = {}): Rpc {
  return {
    name,
    rpc,
    large: { p_org_id: LARGE, ...args },
    page: { p_org_id: PAGE, ...onePage(args) },
    empty: { p_org_id: EMPTY, ...args },
  };
}

/** A screen of one thing: the empty shop has one that was never used. */
function one(
  name: string,
  rpc: string,
  kind: number,
  numbers: { large: number; page: number },
  args = {},
  key = "p_id",
): Rpc {
  return {
    name,
    rpc,
    large: { [key]: id(kind, numbers.large), ...args },
    page: { [key]: pageId(kind, numbers.page), ...onePage(args) },
    empty: { [key]: id(kind, NEWCOMER), ...args },
  };
}

/** Arguments of so many days up to today. */
function period(days: number): Record<string, string> {
  const before = (count: number) =>
    new Date(Date.now() - count * DAY_MS).toISOString().slice(0, 10);
  return { p_from: before(days - 1), p_to: before(0) };
}

/** Choices that a form offers. */
function choices(name: string, from: string, columns: string, condition = ""): Read {
  const address = (orgId: string) =>
    `${from}?select=${columns}&org_id=eq.${orgId}&order=name${condition && `&${condition}=is.null`}`;
  const filter = condition && ` and ${condition} is null`;
  return {
    name,
    large: address(LARGE),
    page: address(PAGE),
    empty: address(EMPTY),
    sql: `select ${columns} from public.${from} where org_id = '${LARGE}'${filter} order by name`,
  };
}

/** Row that a form changes. */
function row(
  name: string,
  from: string,
  columns: string,
  kind: number,
  numbers: { large: number; page: number },
): Read {
  const address = (thing: string) => `${from}?select=${columns}&id=eq.${thing}`;
  return {
    name,
    large: address(id(kind, numbers.large)),
    page: address(pageId(kind, numbers.page)),
    empty: address(id(kind, NEWCOMER)),
    sql: `select ${columns} from public.${from} where id = '${id(kind, numbers.large)}'`,
  };
}

/** A whole screen of the signed-in user. */
const mine = (name: string, rpc: string, args = {}): Rpc => ({
  name,
  rpc,
  large: args,
  page: args,
  empty: args,
});

const customers = (name: string, filters: Args, args = {}) =>
  list(`customers: ${name}`, "customer_list", { p_filters: filters, ...args });

const inbox = (name: string, filters: Args, args = {}) =>
  list(`inbox: ${name}`, "review_inbox", { p_filters: filters, ...args });

/** Number seven of a kind, which is the one that most happens to. */
const BOTH_7 = { large: 7, page: 7 };

const codes = (name: string, args: Args = {}) =>
  one(`codes: ${name}`, "reward_codes", 4, BOTH_7, args);

/** A line that is held to a bound of its own. */
function held(call: Call, most = NEW_LIST_RATIO): Call {
  return { ...call, most };
}

/** Every list, dashboard, search and page of figures. */
export const calls: readonly Call[] = [
  list("dashboard", "dashboard"),
  list("dashboard: 90 days", "period_figures", period(90)),
  list("dashboard: a year", "period_figures", period(365)),
  list("dashboard: costs of 30 days", "period_costs", period(30)),
  list("dashboard: costs of a year", "period_costs", period(365)),
  list("campaigns", "campaign_list"),
  list("campaigns: search", "campaign_list", { p_search: "Campagne 7" }),
  list("campaigns: last page", "campaign_list", { p_page: 99 }),
  list("campaigns put away", "campaign_list", { p_is_archived: true }),
  list("campaigns: most scanned first", "campaign_list", { p_sort: "-scans" }),
  one("statistics of a campaign", "campaign_stats", 3, BOTH_7, {}, "p_campaign_id"),
  one("editor of a campaign", "campaign_editor", 3, BOTH_7),
  one("posters of a campaign", "campaign_poster", 3, BOTH_7, {}, "p_campaign_id"),
  list("stores", "store_list"),
  list("stores: search without match", "store_list", { p_search: "zz" }),
  list("stores: most scanned first", "store_list", { p_sort: "-scans" }),
  held(list("stores: best rated first", "store_list", { p_sort: "-rating" })),
  one("statistics of a store", "store_stats", 2, { large: 0, page: 7 }),
  row(
    "form of a store",
    "stores",
    "id,version,name,slug,address,timezone,google_review_url,review_mode,archived_at",
    2,
    BOTH_7,
  ),
  list("rewards", "reward_list"),
  list("rewards put away", "reward_list", { p_is_archived: true }),
  list("rewards: search", "reward_list", { p_search: "Cadeau 40" }),
  list("rewards: last page", "reward_list", { p_page: 99 }),
  list("rewards: most won first", "reward_list", { p_sort: "-wins" }),
  held(list("rewards: most used of those won first", "reward_list", { p_sort: "-rate" })),
  one("statistics of a reward", "reward_stats", 4, BOTH_7),
  row(
    "form of a reward",
    "rewards",
    "id,version,name,description,type,campaign_id,value,code_template,stock,max_per_user,metadata,picture",
    4,
    { large: 107, page: 7 },
  ),
  codes("first page"),
  codes("page 40", { p_page: 40 }),
  codes("a frequent name", { p_search: "martin" }),
  codes("part of a code", { p_search: "WIN9A3" }),
  codes("without match", { p_search: "zzzz" }),
  codes("two letters without match", { p_search: "zz" }),
  codes("signs alone", { p_search: "?" }),
  codes("that can be used", { p_status: "available" }),
  codes("that were used, page 40", { p_status: "used", p_page: 40 }),
  codes("that are over", { p_status: "expired" }),
  codes("to be checked", { p_status: "held" }),
  codes("that were used, a frequent name", { p_status: "used", p_search: "martin" }),
  held(codes("oldest first", { p_sort: "created_at" })),
  held(codes("first to end", { p_sort: "expires_at" })),
  held(codes("that can be used, first to end", { p_status: "available", p_sort: "expires_at" })),
  held(codes("last to end, page 40", { p_sort: "-expires_at", p_page: 40 })),
  customers("first page", {}),
  customers("deep page", {}, { p_after: id(5, 100) }),
  customers("deep page, backwards", {}, { p_before: id(5, 100) }),
  customers("oldest first", {}, { p_sort: "created_at" }),
  customers(
    "oldest first, deep page, consent",
    { consent: true },
    {
      p_sort: "created_at",
      p_after: id(5, 100),
    },
  ),
  held(customers("by name", {}, { p_sort: "name" })),
  held(customers("by name, deep page", {}, { p_sort: "name", p_after: id(5, 100) })),
  held(customers("by name, consent", { consent: true }, { p_sort: "name" })),
  customers("by name, a frequent name", { search: "martin" }, { p_sort: "name" }),
  customers("by name, a name that stands last", { search: "zoe" }, { p_sort: "name" }),
  held(customers("latest activity first", {}, { p_sort: "-activity" })),
  held(
    customers(
      "latest activity first, deep page, backwards",
      {},
      { p_sort: "-activity", p_before: id(5, 100) },
    ),
  ),
  held(customers("longest gone first, five stars", { rating: 5 }, { p_sort: "activity" })),
  customers("consent", { consent: true }),
  customers("five stars", { rating: 5 }),
  customers("active for 7 days", { activity: "7" }),
  customers("gone for 90 days", { activity: "older" }),
  customers("a store", { store_id: id(2, 3) }),
  customers("consent, five stars, a store", { consent: true, rating: 5, store_id: id(2, 3) }),
  customers("all filters", { consent: true, rating: 1, store_id: id(2, 3), activity: "7" }),
  customers("all filters without match", {
    consent: false,
    rating: 0,
    store_id: id(2, 4),
    activity: "7",
  }),
  customers("in German", { locale: "de" }),
  customers("in French", { locale: "fr" }),
  customers("by name, a letter that stands last", { search: "z" }, { p_sort: "name" }),
  customers("one letter", { search: "m" }),
  customers("one letter without match", { search: "ñ" }),
  customers("two letters", { search: "le" }),
  customers("two letters without match", { search: "zx" }),
  customers("a frequent name", { search: "martin" }),
  customers("a frequent name, filtered", {
    search: "martin",
    consent: true,
    rating: 5,
    activity: "7",
  }),
  customers("a rare address", { search: "martin77" }),
  customers("without match", { search: "personne" }),
  customers("digits of a phone", { search: "0612" }),
  customers("signs alone", { search: "?" }),
  one("a customer", "customer_detail", 5, { large: 4242, page: 2 }),
  held(inbox("first page", {})),
  held(inbox("to be dealt with", { state: "open" })),
  held(inbox("closed", { state: "closed" })),
  held(inbox("one star, a store, with words", { rating: 1, store_id: id(2, 3), with_text: true })),
  held(inbox("a campaign", { campaign_id: id(3, 7), state: "open" })),
  held(inbox("mine", { mine: true })),
  held(inbox("in German", { locale: "de" })),
  held(inbox("a frequent word", { search: "attente" })),
  held(inbox("a frequent name", { search: "martin", state: "open" })),
  held(inbox("a short name", { search: "zoe" })),
  held(inbox("without match", { search: "personne" })),
  held(inbox("short words without match", { search: "d'a", state: "open" })),
  held(inbox("signs alone", { search: "?" })),
  // The empty shop has none.
  {
    name: "a review",
    rpc: "review_detail",
    large: { p_id: id(7, 250_003) },
    page: { p_id: id(7, PAGE_REVIEW) },
    empty: null,
  },
  held(list("prizes to check", "check_groups")),
  held(list("prizes to check: settled", "check_groups", { p_is_closed: true })),
  held(list("points catalogue", "points_catalogue")),
  held(
    one(
      "what points may be spent on",
      "points_choices",
      5,
      { large: 4244, page: 1 },
      {},
      "p_customer_id",
    ),
  ),
  held(one("what a campaign marks", "check_settings", 3, BOTH_7, {}, "p_campaign_id")),
  held(list("messages on this device", "push_settings")),
  held(one("code of presence", "presence_board", 2, BOTH_7, {}, "p_store_id")),
  list("team", "team"),
  list("audit", "audit_trail"),
  list("audit: a page in the middle", "audit_trail", { p_before: id(12, 3_000) }),
  list("audit: a colleague", "audit_trail", { p_person_id: id(11, 7) }),
  list("audit: an action", "audit_trail", { p_action: "store.updated" }),
  list("audit: a colleague without such an action", "audit_trail", {
    p_person_id: id(11, 7),
    p_action: "store.archived",
  }),
  list("audit: a page in the middle, backwards", "audit_trail", { p_after: id(12, 3_000) }),
  list("keys of the API", "api_keys"),
  list("settings", "settings"),
  list("logo and colour", "brand_settings"),
  list("what goes with the organisation", "deletion_summary"),
  mine("search: a frequent name", "find_anything", { p_query: "martin" }),
  mine("search: part of an address", "find_anything", { p_query: "martin77" }),
  mine("search: the beginning of a code", "find_anything", { p_query: "WIN9A3" }),
  mine("search: a campaign", "find_anything", { p_query: "Campagne 7" }),
  mine("search: without match", "find_anything", { p_query: "personne" }),
  mine("search: one letter", "find_anything", { p_query: "m" }),
  mine("search: two letters", "find_anything", { p_query: "le" }),
  mine("search: digits of a phone", "find_anything", { p_query: "0612" }),
  mine("search: a whole code", "find_anything", { p_query: "WIN214D9410" }),
  mine("workspace", "my_workspace"),
  mine("plan and bills", "billing_overview"),
  mine("sessions", "my_sessions"),
  mine("invitation that waits", "waiting_invitation"),
  mine("recovery codes", "count_recovery_codes"),
  mine("whether an address is free", "is_slug_free", {
    p_kind: "campaign",
    p_slug: "campagne-0-7",
  }),
  mine("free address near a taken one", "free_slug", {
    p_kind: "campaign",
    p_slug: "campagne-0-7",
  }),
  choices("stores to choose from", "stores", "id,name,address,timezone", "archived_at"),
  choices("campaigns to choose from", "campaigns", "id,name,active"),
];
