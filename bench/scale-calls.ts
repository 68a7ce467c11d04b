/** What one screen asks of the data API. */
export type Call = {
  /** Screen and what was typed or chosen on it. */
  name: string;
  /** SQL function. */
  rpc: string;
  /** Its arguments in an organisation; null: the screen needs something that an empty shop has not. */
  large: Record<string, unknown>;
  empty: Record<string, unknown> | null;
};

/** Identifier number `number` of a kind of thing, as `scale.sql` makes them. */
function id(kind: number, number: number): string {
  return `${String(kind + 50).padStart(8, "0")}-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** Identifiers of the large and of the empty organisation. */
const LARGE = id(1, 0);
const EMPTY = id(1, 999_999);

/** A screen of a whole organisation. */
function list(name: string, rpc: string, args: Record<string, unknown> = {}): Call {
  return {
    name,
    rpc,
    large: { p_org_id: LARGE, ...args },
    empty: { p_org_id: EMPTY, ...args },
  };
}

/** A screen of one thing, which an empty shop has not. */
function one(name: string, rpc: string, args: Record<string, unknown>): Call {
  return { name, rpc, large: args, empty: null };
}

const customers = (name: string, filters: Record<string, unknown>, args = {}) =>
  list(`customers: ${name}`, "customer_list", { p_filters: filters, ...args });

const codes = (name: string, args: Record<string, unknown> = {}) =>
  one(`codes: ${name}`, "reward_codes", { p_id: id(4, 107), ...args });

/** Every list, dashboard, search and page of figures. */
export const calls: readonly Call[] = [
  list("dashboard", "dashboard"),
  list("campaigns", "campaign_list"),
  list("campaigns: search", "campaign_list", { p_search: "Campagne 7" }),
  list("campaigns: last page", "campaign_list", { p_page: 99 }),
  list("stores", "store_list"),
  list("stores: search without match", "store_list", { p_search: "zz" }),
  one("statistics of a store", "store_stats", { p_id: id(2, 0) }),
  list("rewards", "reward_list"),
  list("rewards: search", "reward_list", { p_search: "Cadeau 40" }),
  list("rewards: last page", "reward_list", { p_page: 99 }),
  one("statistics of a reward", "reward_stats", { p_id: id(4, 107) }),
  codes("first page"),
  codes("page 40", { p_page: 40 }),
  codes("a frequent name", { p_search: "martin" }),
  codes("part of a code", { p_search: "WIN9A3" }),
  codes("without match", { p_search: "zzzz" }),
  codes("two letters without match", { p_search: "zz" }),
  customers("first page", {}),
  customers("deep page", {}, { p_after: id(5, 100) }),
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
  one("a customer", "customer_detail", { p_id: id(5, 4242) }),
  { name: "workspace", rpc: "my_workspace", large: {}, empty: {} },
];
