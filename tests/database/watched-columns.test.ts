import type { ISql } from "postgres";
import { afterAll, expect, it } from "vitest";
import { fieldNames } from "../../web/features/team/audit/audit.copy.ts";
import { createTestDatabase, undone } from "../harness/database.ts";

/**
 * Columns that versions and the audit trail watch stand as lists in triggers. A column in neither list is overwritten by whoever saves
 * an older form, or changed without a trace: a new one fails here until it is watched, or explained in UNWATCHED.
 */

const database = await createTestDatabase();
const { sql } = database;

afterAll(() => database.drop());

/** Columns that no list needs, by table and reason; `version` and `audit` are columns that only the one leaves out. */
const UNWATCHED: Readonly<
  Record<string, Readonly<Partial<Record<"both" | "version" | "audit", Record<string, string>>>>>
> = {
  campaigns: {
    both: {
      poster_at: "set once, when a poster is taken",
      rules_stale: "follows from others",
      rules_version: "has a trail of its own: the published rules",
    },
  },
  customers: {
    version: {
      consent_at: "follows from consent_marketing",
      consent_by: "follows from consent_marketing",
      consent_locale: "follows from consent_marketing",
      consent_organizer: "follows from consent_marketing",
      consent_version: "follows from consent_marketing",
      consent_withdrawn_at: "follows from consent_marketing",
      consent_withdrawn_by: "follows from consent_marketing",
      email_normalized: "follows from email",
      last_activity_at: "counted",
      last_activity_day: "counted",
      locale: "set by the customer's own visit",
      name_key: "follows from name",
      phone_normalized: "follows from phone",
      rating_band: "counted",
      rating_sum: "counted",
      redemption_count: "counted",
      review_count: "counted",
      search_words: "follows from others",
      spin_count: "counted",
      store_id: "set by the customer's own visit",
    },
  },
  notification_preferences: {
    audit: {
      next_report_at: "follows from monthly_report",
      next_summary_at: "follows from summary",
      push_asked_at: "an answer that is given once",
      unsubscribe_secret: "nobody's choice",
      unsubscribe_token: "nobody's choice",
    },
  },
  organizations: {
    both: { erase_at: "end_organization writes its own event" },
    version: { return_share: "set_return_share compares it by itself" },
  },
  points_rewards: {
    both: { stock: "every spend takes one" },
    version: { active: "the switch of the list" },
  },
  rewards: {
    both: { stock: "every win takes one" },
    version: { active: "the switch of the list", archived_at: "not of the form" },
    audit: { reward_type: "always the type" },
  },
  stores: {
    both: {
      review_host_confirmed: "audit_review_host writes its own event",
      review_host_confirmed_at: "follows from review_host_confirmed",
    },
    version: {
      archived_at: "not of the form",
      average_basket: "set_average_basket compares it by itself",
    },
  },
};

type Trigger = {
  table: string;
  watch: "version" | "audit";
  /** Columns of the table, without those that every table has for itself. */
  columns: string[];
  /** Columns after « update of »; none where every update is looked at. */
  listed: string[];
  /** The trigger as the catalog writes it. */
  text: string;
};

const readTriggers = (transaction: ISql) => transaction<Trigger[]>`
  select t.tgrelid::regclass::text as table, case when p.proname like 'audit%' then 'audit' else 'version' end as watch,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = t.tgrelid and a.attnum > 0 and not a.attisdropped
        and a.attname not in ('id', 'org_id', 'user_id', 'created_at', 'version') order by a.attname) as columns,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = t.tgrelid and a.attnum = any (t.tgattr::int2[]) order by a.attname) as listed,
    pg_get_triggerdef(t.oid) as text
  from pg_trigger t join pg_proc p on p.oid = t.tgfoid
  where not t.tgisinternal and p.pronamespace = 'private'::regnamespace and t.tgtype & 1 = 1
    and (p.proname in ('audit_change', 'audit_notifications') or p.proname ~ '^bump_[a-z]+_version$')
  order by 1, 2`;

/** Faults of one trigger: columns that it forgets, and columns that only one of its two lists names. */
function faultsOf({ table, watch, columns, listed, text }: Trigger): string[] {
  const compared = columns.filter((column) =>
    [`old.${column}`, `'${column}'`].some((name) => new RegExp(`${name}(?!\\w)`).test(text)),
  );
  // Without a condition or arguments, the one list is all there is.
  const watched = compared.length > 0 ? compared : listed;
  const explained = { ...UNWATCHED[table]?.both, ...UNWATCHED[table]?.[watch] };
  return columns.flatMap((column) => {
    const name = `${watch} of ${table}.${column}`;
    if (listed.length > 0 && listed.includes(column) !== watched.includes(column))
      return [`${name}: stands in one list of its trigger and not in the other`];
    if (watched.includes(column))
      return column in explained ? [`${name}: is watched, take it out of UNWATCHED`] : [];
    return column in explained
      ? []
      : [`${name}: add it to its trigger, or explain it in UNWATCHED`];
  });
}

const faults = async (transaction: ISql) => (await readTriggers(transaction)).flatMap(faultsOf);

it("leaves no column of a form out of its versions and of the audit trail", async () => {
  expect((await readTriggers(sql)).map(({ table, watch }) => `${table} ${watch}`)).toEqual([
    "campaigns audit",
    "campaigns version",
    "customers version",
    "notification_preferences audit",
    "organizations audit",
    "organizations version",
    "points_rewards audit",
    "points_rewards version",
    "rewards audit",
    "rewards version",
    "stores audit",
    "stores version",
  ]);
  expect(await faults(sql)).toEqual([]);
});

it("has a French word for every column that the audit trail names", async () => {
  const named = (await readTriggers(sql)).filter(({ text }) => text.includes("audit_change("));
  const wordless = named.flatMap(({ table, listed }) =>
    listed.filter((column) => fieldNames([column]) === "").map((column) => `${table}.${column}`),
  );
  expect(wordless, "FIELDS in web/features/team/audit/audit.copy.ts lacks them").toEqual([]);
});

it("misses a column that is added, and one that a trigger names once", async () => {
  const found = await undone(sql, async (transaction) => {
    await transaction`alter table public.rewards add column conditions text`;
    await transaction`alter table public.customers add column nickname text`;
    await transaction`
      create or replace trigger audit_organization_change after insert or update of name, slug on public.organizations
      for each row execute function private.audit_change('organization', 'name', 'slug', 'return_share')`;
    return faults(transaction);
  });
  expect(found).toEqual([
    "version of customers.nickname: add it to its trigger, or explain it in UNWATCHED",
    "audit of organizations.return_share: stands in one list of its trigger and not in the other",
    "audit of rewards.conditions: add it to its trigger, or explain it in UNWATCHED",
    "version of rewards.conditions: add it to its trigger, or explain it in UNWATCHED",
  ]);
});
