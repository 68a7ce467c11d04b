import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { beforeEach, describe, expect, it } from "vitest";
import { campaignList } from "#domain/schemas/back-office.ts";
import { type CodeListStatus, codeListStatus } from "#domain/schemas/code-status.ts";
import { customerList } from "#domain/schemas/customers.ts";
import { rewardCodes, rewardList } from "#domain/schemas/rewards.ts";
import { storeList } from "#domain/schemas/stores.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  type Organization,
} from "../harness/fixtures.ts";
import { everythingStored } from "./support/stored.ts";

/** Actions on a selection of a list, the order of lists, and the codes of one state. */

const database = setUpTestDatabase();
let ours: Organization;
let theirs: Organization;
let campaign: Campaign;

beforeEach(async () => {
  const { sql } = database;
  [ours, theirs] = [await createOrganization(sql), await createOrganization(sql)];
  campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId, name: "Été" });
});

type Role = keyof Organization["users"];

/** Calls a function as one of ours; answers what it answers, or the code of its refusal. */
async function call(
  role: Role,
  statement: string,
  values: postgres.ParameterOrJSON<never>[],
): Promise<unknown> {
  try {
    return await database.as({ userId: ours.users[role].id }, async (sql) => {
      const rows = await sql.unsafe<{ answer: unknown }[]>(statement, values);
      return rows[0]?.answer;
    });
  } catch (error) {
    if (error instanceof Error && "code" in error) return error.code;
    throw error;
  }
}

async function customerOf({ id }: Organization, name: string, createdAt = "2026-01-01") {
  const [row] = await database.sql<{ id: string }[]>`
    insert into public.customers (org_id, name, email, consent_marketing, created_at)
    values (${id}, ${name}, ${`${randomUUID()}@exemple.fr`}, true, ${createdAt}) returning id`;
  return row?.id ?? "";
}

const ACTIONS = [
  {
    name: "archive_rewards",
    low: "member",
    high: "admin",
    make: (of: Organization, at: Campaign) => createReward(database.sql, at, { name: of.name }),
  },
  {
    name: "archive_campaigns",
    low: "member",
    high: "owner",
    make: async ({ id, storeId }: Organization) =>
      (await createCampaign(database.sql, { orgId: id, storeId, name: randomUUID() })).id,
  },
  {
    name: "withdraw_consents",
    low: "cashier",
    high: "member",
    make: (of: Organization) => customerOf(of, "Ana"),
  },
] as const;

describe.each(ACTIONS)("$name", ({ name, low, high, make }) => {
  const statement = `select public.${name}($1, $2) as answer`;

  it("does it to all that were ticked, once", async () => {
    const ids = [await make(ours, campaign), await make(ours, campaign)];
    // Sent twice over, done once.
    expect(await call(high, statement, [ours.id, [...ids, ...ids]])).toBe(2);
    expect(await call(high, statement, [ours.id, ids])).toBe(0);
  });

  it("is refused to a lower role, for anything of others', and for what nobody ticks by hand", async () => {
    const own = await make(ours, campaign);
    const foreign = await createCampaign(database.sql, {
      orgId: theirs.id,
      storeId: theirs.storeId,
      name: "La leur",
    });
    const other = await make(theirs, foreign);
    const before = await everythingStored(database.sql);
    const many = Array.from({ length: 10_000 }, () => randomUUID());
    expect(await call(low, statement, [ours.id, [own]])).toBe("42501");
    expect(await call(high, statement, [theirs.id, [other]])).toBe("42501");
    // One that is not ours, and nothing of the others is done either.
    expect(await call(high, statement, [ours.id, [own, other]])).toBe("42501");
    expect(await call(high, statement, [theirs.id, [own]])).toBe("42501");
    expect(await call(high, statement, [ours.id, [own, randomUUID()]])).toBe("42501");
    expect(await call(high, statement, [ours.id, [own, ...many]])).toBe("22023");
    expect(await call(high, statement, [ours.id, []])).toBe("22023");
    expect(await call(high, statement, [ours.id, null])).toBe("22023");
    expect(await call(high, statement, [ours.id, [own, null]])).toBe("22023");
    expect(await everythingStored(database.sql)).toEqual(before);
  });
});

it("a withdrawn consent keeps no date, and stands in the trail without a name", async () => {
  const id = await customerOf(ours, "Ana");
  await call("member", "select public.withdraw_consents($1, $2) as answer", [ours.id, [id]]);
  const [row] = await database.sql`
    select consent_marketing, consent_at, consent_by from public.customers where id = ${id}`;
  expect(row).toEqual({ consent_marketing: false, consent_at: null, consent_by: null });
  const trail = await database.sql`
    select action, subject_id, detail from public.audit_events
    where org_id = ${ours.id} and action like 'customer%'`;
  expect([...trail]).toEqual([
    { action: "customer.consents_withdrawn", subject_id: null, detail: { count: 1 } },
  ]);
});

it("nothing is deleted where nobody said whether it is to be archived or deleted", async () => {
  const { sql } = database;
  const rewardId = await createReward(sql, campaign);
  const storeId = await createStore(sql, { orgId: ours.id });
  const before = await everythingStored(sql);
  for (const [kind, id] of [
    ["reward", rewardId],
    ["campaign", campaign.id],
    ["store", storeId],
  ] as const) {
    const removal = `select public.remove_${kind}($1, null)::text as answer`;
    expect(await call("owner", removal, [id]), kind).toBe("23502");
    expect(await call("cashier", removal, [id]), kind).toBe("42501");
  }
  expect(await everythingStored(sql)).toEqual(before);
});

it.each(["stores", "rewards"])(
  "%s are archived by the data API by whoever may, and now",
  async (table) => {
    const { sql } = database;
    const id = table === "stores" ? ours.storeId : await createReward(sql, campaign);
    const archive = (role: Role) =>
      call(
        role,
        `update public.${table} set archived_at = 'infinity' where id = $1
      returning archived_at = now() as answer`,
        [id],
      );
    const restored = `update public.${table} set archived_at = null where id = $1 returning archived_at is null as answer`;
    expect(await archive("member")).toBe("42501");
    expect(await archive("admin")).toBe(true);
    expect(await call("member", restored, [id])).toBe(true);
  },
);

describe("an order", () => {
  const LISTS = [
    ["reward_list", "p_sort => 'nom'"],
    ["campaign_list", "p_sort => 'name desc'"],
    ["store_list", "p_sort => '--name'"],
    ["customer_list", "p_sort => 'email'"],
  ] as const;

  it.each(LISTS)("that %s does not know is refused (%s)", async (name, sort) => {
    expect(await call("owner", `select public.${name}($1, ${sort}) as answer`, [ours.id])).toBe(
      "22023",
    );
  });

  it("sorts rewards, campaigns and stores, whatever page they stand on", async () => {
    const { sql } = database;
    for (const [name, stock] of [
      ["Éclair", 3],
      ["Abricot", -1],
      ["Zeste", 0],
    ] as const) {
      await createReward(sql, campaign, { name, stock });
    }
    const rewards = async (sort: string) => {
      const statement = "select public.reward_list($1, p_sort => $2) as answer";
      const answer = await call("owner", statement, [ours.id, sort]);
      return rewardList.parse(answer).items.map((item) => item.name);
    };
    expect(await rewards("name")).toEqual(["Abricot", "Éclair", "Zeste"]);
    expect(await rewards("-name")).toEqual(["Zeste", "Éclair", "Abricot"]);
    expect(await rewards("-stock")).toEqual(["Abricot", "Éclair", "Zeste"]);
    expect(await rewards("created_at")).toEqual(["Éclair", "Abricot", "Zeste"]);
    await sql`update public.rewards set max_per_user = 2, active = false, metadata = '{"validityDays": 7}'
      where campaign_id = ${campaign.id} and name = 'Zeste'`;
    await sql`update public.rewards set type = 'points', max_per_user = 1, metadata = '{"points": 5}' where campaign_id = ${campaign.id} and name = 'Éclair'`;
    for (const [name, wins, uses] of [
      ["Éclair", 9, 0],
      ["Abricot", 4, 1],
      ["Zeste", 2, 1],
    ] as const) {
      await sql`
        insert into public.reward_totals (org_id, reward_id, wins, codes, redemptions)
        select ${ours.id}, r.id, ${wins}, ${wins}, ${uses} from public.rewards r
        where r.campaign_id = ${campaign.id} and r.name = ${name}
        on conflict (org_id, reward_id) do update
        set wins = excluded.wins, codes = excluded.codes, redemptions = excluded.redemptions`;
    }
    // Points have no codes: no rate, and no end.
    expect(await rewards("-rate")).toEqual(["Zeste", "Abricot", "Éclair"]);
    expect(await rewards("rate")).toEqual(["Éclair", "Abricot", "Zeste"]);
    await sql`update public.rewards set max_per_user = 3 where campaign_id = ${campaign.id} and name = 'Abricot'`;
    expect(await rewards("-max")).toEqual(["Abricot", "Zeste", "Éclair"]);
    expect(await rewards("validity")).toEqual(["Zeste", "Abricot", "Éclair"]);
    expect((await rewards("state"))[0]).toBe("Zeste");

    await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId, name: "Avent" });
    await sql`select private.count_event(${ours.id}, ${campaign.id}, ${ours.storeId}, '2026-01-01', p_scans => 4)`;
    const campaigns = async (sort: string) => {
      const statement = "select public.campaign_list($1, p_sort => $2) as answer";
      const answer = await call("owner", statement, [ours.id, sort]);
      return campaignList.parse(answer).items.map((item) => item.name);
    };
    expect(await campaigns("name")).toEqual(["Avent", "Été"]);
    expect(await campaigns("-scans")).toEqual(["Été", "Avent"]);
    expect(await campaigns("scans")).toEqual(["Avent", "Été"]);

    await sql`insert into public.stores (org_id, name, slug, address) values (${ours.id}, 'Annexe', ${randomUUID()}, 'Paris')`;
    const stores = async (sort: string) => {
      const statement = "select public.store_list($1, p_sort => $2) as answer";
      const answer = await call("owner", statement, [ours.id, sort]);
      return storeList.parse(answer).items.map((item) => item.figures.scans);
    };
    expect(await stores("name")).toEqual([0, 4]);
    expect(await stores("-scans")).toEqual([4, 0]);
    // A store without a review has no mean, and stands below the worst.
    await sql`select private.count_event(${ours.id}, ${campaign.id}, ${ours.storeId}, '2026-01-01', p_reviews => 1, p_rating_sum => 1)`;
    expect(await stores("-rating")).toEqual([4, 0]);
    expect(await stores("rating")).toEqual([0, 4]);
  });

  it("turns the pages of customers from the oldest on, and back", async () => {
    await database.sql`
      insert into public.customers (org_id, name, email, created_at)
      select ${ours.id}, 'C' || n, 'c' || n || '@exemple.fr', timestamptz '2026-01-01Z' + n * interval '1 day'
      from generate_series(1, 60) n`;
    const page = async (turn: string, id: string | null) => {
      const statement = `select public.customer_list($1, ${turn} => $2, p_sort => 'created_at') as answer`;
      return customerList.parse(await call("owner", statement, [ours.id, id]));
    };
    const names = ({ items }: { items: { name: string }[] }) => [
      items[0]?.name,
      items.at(-1)?.name,
    ];
    const first = await page("p_after", null);
    expect([names(first), first.has_previous, first.has_next]).toEqual([
      ["C1", "C25"],
      false,
      true,
    ]);
    const second = await page("p_after", first.items.at(-1)?.id ?? "");
    expect([names(second), second.has_previous]).toEqual([["C26", "C50"], true]);
    const last = await page("p_after", second.items.at(-1)?.id ?? "");
    expect([names(last), last.has_next]).toEqual([["C51", "C60"], false]);
    expect(names(await page("p_before", last.items[0]?.id ?? ""))).toEqual(["C26", "C50"]);
    const again = await page("p_before", second.items[0]?.id ?? "");
    expect([names(again), again.has_previous]).toEqual([["C1", "C25"], false]);
  });

  it.each([
    ["name", "name"],
    ["activity", "coalesce(last_activity_at at time zone 'UTC', '-infinity')::date"],
  ])(
    "turns the pages of customers by %s, up and down, and back, where many are equal",
    async (key, column) => {
      await database.sql`
      insert into public.customers (org_id, name, email, consent_marketing, last_activity_at)
      select ${ours.id}, (array['Zoé', 'émile', 'Anne', 'Éloi', 'anne-lise'])[n % 5 + 1], 'c' || n || '@exemple.fr', n % 3 > 0,
        case when n % 4 > 0 then timestamptz '2026-01-01 12:00Z' + n % 4 * interval '1 day' end
      from generate_series(1, 90) n`;
      const page = async (sort: string, filters: object, turn: string, id: string | null) => {
        const statement = `select public.customer_list($1, $2, ${turn} => $3, p_sort => $4) as answer`;
        const answer = await call("owner", statement, [ours.id, { ...filters }, id, sort]);
        return customerList.parse(answer);
      };
      for (const filters of [{}, { consent: true }]) {
        for (const sort of [key, `-${key}`]) {
          const direction = sort === key ? "asc" : "desc";
          const words =
            key === "name"
              ? "array_position(array['Anne', 'anne-lise', 'Éloi', 'émile', 'Zoé'], name)"
              : column;
          const expected = await database.sql.unsafe<{ id: string }[]>(`
          select id from public.customers where org_id = '${ours.id}' ${"consent" in filters ? "and consent_marketing" : ""}
          order by ${words} ${direction}, id ${direction}`);
          const forth = [];
          let shown = await page(sort, filters, "p_after", null);
          forth.push(shown);
          while (shown.has_next) {
            shown = await page(sort, filters, "p_after", shown.items.at(-1)?.id ?? "");
            forth.push(shown);
          }
          const ids = forth.map(({ items }) => items.map((item) => item.id));
          expect(ids.flat()).toEqual(expected.map((row) => row.id));
          const back = [];
          while (shown.has_previous) {
            shown = await page(sort, filters, "p_before", shown.items[0]?.id ?? "");
            back.unshift(shown.items.map((item) => item.id));
          }
          expect(back).toEqual(ids.slice(0, -1));
        }
      }
    },
  );

  it("finds customers by name wherever the name stands, first, last, among many or alone", async () => {
    await database.sql.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      // More than 3,000 before the first Zoé.
      await sql`
        insert into public.customers (org_id, name, email)
        select ${ours.id}, case when n % 27 = 0 then 'Zoé ' else 'Anne ' end || n, 'c' || n || '@exemple.fr'
        from generate_series(1, 3240) n`;
    });
    const page = async (search: string, sort: string, turn: string, id: string | null) => {
      const statement = `select public.customer_list($1, $2, ${turn} => $3, p_sort => $4) as answer`;
      return customerList.parse(await call("owner", statement, [ours.id, { search }, id, sort]));
    };
    for (const [search, pattern] of [
      ["zoé", "Zoé%"],
      ["anne", "Anne%"],
      ["zoé 27", "Zoé 27%"],
      ["z", "Zoé%"],
    ] as const) {
      for (const sort of ["name", "-name"]) {
        const direction = sort === "name" ? "asc" : "desc";
        const expected = await database.sql.unsafe<{ id: string }[]>(`
          select id from public.customers where org_id = '${ours.id}' and name like '${pattern}'
          order by private.name_order(name) collate "C" ${direction}, id ${direction}`);
        const ids = expected.map(({ id }) => id);
        const first = await page(search, sort, "p_after", null);
        const shown = first.items.map(({ id }) => id);
        expect(shown).toEqual(ids.slice(0, 25));
        expect([first.matches, first.has_more_matches]).toEqual([
          Math.min(ids.length, 100),
          ids.length > 100,
        ]);
        if (!first.has_next) continue;
        const second = await page(search, sort, "p_after", shown.at(-1) ?? "");
        expect(second.items.map(({ id }) => id)).toEqual(ids.slice(25, 50));
        const back = await page(search, sort, "p_before", second.items[0]?.id ?? "");
        expect(back.items.map(({ id }) => id)).toEqual(shown);
      }
    }
  });
});

describe("the codes of one state", () => {
  it("are those whose badge says so, and no other state is known", async () => {
    const { sql } = database;
    const rewardId = await createReward(sql, campaign, { name: "Café" });
    // Whatever led there: a code of each state, without the spins that they came from.
    const add = (code: string, columns: string) =>
      sql.begin(async (transaction) => {
        await transaction`set local session_replication_role = replica`;
        await transaction.unsafe(`
          insert into public.redemptions (org_id, campaign_id, store_id, reward_id, spin_id, reward_name, code, status,
            expires_at, used_at, verdict)
          select '${ours.id}', '${campaign.id}', '${ours.storeId}', '${rewardId}', gen_random_uuid(), 'Café', '${code}',
            ${columns}`);
      });
    await add("GOOD", "'available', null, null, null");
    await add("LATE", "'available', now() - interval '1 minute', null, null");
    await add("OVER", "'expired', now() - interval '1 day', null, null");
    await add("USED", "'used', null, now(), null");
    await add("HELD", "'available', null, null, 'held'");
    await add("GONE", "'expired', null, null, 'cancelled'");
    const codes = async (status: CodeListStatus, search = "") => {
      const statement = "select public.reward_codes($1, $2, 1, $3) as answer";
      const answer = rewardCodes.parse(await call("member", statement, [rewardId, search, status]));
      return answer?.items.map(({ code }) => code).sort();
    };
    const found = [];
    for (const status of codeListStatus.options) found.push([status, await codes(status)]);
    expect(Object.fromEntries(found)).toEqual({
      available: ["GOOD"],
      used: ["USED"],
      expired: ["LATE", "OVER"],
      held: ["HELD"],
      cancelled: ["GONE"],
    });
    expect(await codes("expired", "ov")).toEqual(["OVER"]);
    const statement = "select public.reward_codes($1, '', 1, 'lost') as answer";
    expect(await call("member", statement, [rewardId])).toBe("22023");
  });

  it("are sorted by their issue and by their end, page after page", async () => {
    const { sql } = database;
    const rewardId = await createReward(sql, campaign, { name: "Thé" });
    const states = ["available", "used", "expired"] as const;
    await sql.begin(async (transaction) => {
      await transaction`set local session_replication_role = replica`;
      await transaction`
        insert into public.redemptions (org_id, campaign_id, store_id, reward_id, spin_id, reward_name, code, status,
          created_at, expires_at, used_at)
        select ${ours.id}, ${campaign.id}, ${ours.storeId}, ${rewardId}, gen_random_uuid(), 'Thé', 'T' || lpad(n::text, 3, '0'),
          (${[...states]}::text[])[n % 3 + 1], now() - n % 7 * interval '1 hour',
          case when n % 5 > 0 then now() + (n % 11 + 1) * interval '1 day' end, case when n % 3 = 1 then now() end
        from generate_series(1, 60) n`;
    });
    const statement = "select public.reward_codes($1, '', $2, $3, $4) as answer";
    for (const status of [null, ...states]) {
      for (const sort of ["created_at", "-created_at", "expires_at", "-expires_at"]) {
        const direction = sort.startsWith("-") ? "desc" : "asc";
        const expected = await sql.unsafe<{ code: string }[]>(`
          select code from public.redemptions where reward_id = '${rewardId}' ${status ? `and status = '${status}'` : ""}
          order by ${sort.replace("-", "")} ${direction}, id ${direction}`);
        const shown = [];
        for (const page of [1, 2, 3]) {
          const answer = rewardCodes.parse(
            await call("member", statement, [rewardId, page, status, sort]),
          );
          shown.push(...(answer?.items.map(({ code }) => code) ?? []));
        }
        expect(shown).toEqual(expected.map(({ code }) => code));
      }
    }
    expect(await call("member", statement, [rewardId, 1, null, "code"])).toBe("22023");
  });
});
