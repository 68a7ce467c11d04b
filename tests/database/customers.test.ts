import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { consentWordings } from "#domain/rules/consent.copy.ts";
import { campaignList } from "#domain/schemas/back-office.ts";
import type { CustomerFilters } from "#domain/schemas/customer-filters.ts";
import {
  type CustomerDetail,
  customerCount,
  customerDetail,
  customerList,
  customerSaved,
} from "#domain/schemas/customers.ts";
import { spinResult } from "#domain/schemas/journey.ts";
import { become, type Caller, setUpTestDatabase, undone } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createPointsReward,
  createReward,
  createStore,
  drawWheel,
  giveRole,
  type Organization,
} from "../harness/fixtures.ts";
import { redeem, review, spendPoints, spin, winPoints } from "../harness/journey.ts";
import { everythingStored } from "./support/stored.ts";
import { untilWaiting } from "./support/waiting.ts";
import { whole } from "./support/whole.ts";

/** Customers in the back-office: their figures, the list, the page of one, saving, forgetting. */

const database = setUpTestDatabase();
let ours: Organization;
let campaign: Campaign;
let rewardId: string;

beforeEach(async () => {
  const { sql } = database;
  ours = await createOrganization(sql);
  campaign = await createCampaign(sql, {
    orgId: ours.id,
    storeId: ours.storeId,
    name: `Été ${randomUUID()}`,
    playIntervalDays: 0,
  });
  rewardId = await createReward(sql, campaign, { name: "Café offert" });
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
});

const asUser = (role: keyof Organization["users"]): Caller => ({ userId: ours.users[role].id });
const visit = (parts: Partial<Parameters<typeof review>[1]> = {}) =>
  review(database.sql, { campaignId: campaign.id, ...parts });

async function call(caller: Caller, statement: string, values: postgres.ParameterOrJSON<never>[]) {
  return database.as(caller, async (sql) => {
    const [row] = await sql.unsafe<{ answer: unknown }[]>(statement, values);
    return row?.answer;
  });
}

async function list(
  filters: CustomerFilters = {},
  {
    after = null,
    before = null,
    as = asUser("member"),
  }: { after?: string | null; before?: string | null; as?: Caller } = {},
) {
  const statement = "select public.customer_list($1, $2::text::jsonb, $3, $4) as answer";
  const values = [ours.id, JSON.stringify(filters), after, before];
  return whole(customerList, await call(as, statement, values));
}

async function count(filters: CustomerFilters, as = asUser("member")) {
  const statement = "select public.customer_count($1, $2::text::jsonb) as answer";
  return whole(customerCount, await call(as, statement, [ours.id, JSON.stringify(filters)]));
}

async function names(filters: CustomerFilters): Promise<string[]> {
  return (await list(filters)).items.map(({ name }) => name);
}

async function idOf(email: string): Promise<string> {
  const [row] = await database.sql<{ id: string }[]>`
    select id from public.customers where org_id = ${ours.id} and email = ${email}`;
  if (row === undefined) throw new Error("No such customer.");
  return row.id;
}

async function detail(id: string, as = asUser("member")): Promise<CustomerDetail> {
  const answer = customerDetail.parse(
    await call(as, "select public.customer_detail($1) as answer", [id]),
  );
  if (answer === null) throw new Error("No customer.");
  return answer;
}

type Form = Pick<
  CustomerDetail,
  "id" | "version" | "first_name" | "last_name" | "email" | "phone" | "note"
> & {
  consent: boolean;
};

async function save(form: Form, as = asUser("member")) {
  const statement = "select public.save_customer($1, $2, $3, $4, $5, $6, $7, $8) as answer";
  const { id, version, first_name, last_name, email, phone, consent, note } = form;
  const values = [id, version, first_name, last_name, email, phone, consent, note];
  return whole(customerSaved, await call(as, statement, values));
}

/** SQLSTATE with which something fails, which must leave everything as it was. */
async function refusal(run: () => Promise<unknown>): Promise<string> {
  const before = await everythingStored(database.sql);
  const code = await run().then(
    () => "fine",
    (error: unknown) => {
      if (error instanceof postgres.PostgresError) return error.code;
      throw error;
    },
  );
  expect(await everythingStored(database.sql)).toEqual(before);
  return code;
}

describe("counters", () => {
  it("agree with the events, whatever happened", async () => {
    const { sql } = database;
    const first = await visit({ email: "ana@exemple.fr", rating: 4, consent: true });
    await spin(sql, { campaignId: campaign.id, reviewId: first.review_id });
    await visit({ email: "ana@exemple.fr", rating: 5 });
    await visit({ email: "bruno@exemple.fr", rating: 1 });
    await spin(sql, { campaignId: campaign.id, email: "chloe@exemple.fr" });
    const codes = await sql<{ id: string; code: string }[]>`
      select id, code from public.redemptions where org_id = ${ours.id} order by created_at, id`;
    for (const { code } of codes) {
      await redeem(sql, { userId: ours.users.cashier.id, code, storeId: ours.storeId });
    }
    await call(asUser("member"), "select public.restore_code($1)::text as answer", [
      codes[1]?.id ?? "",
    ]);

    const kept = await sql`
      select id, review_count, rating_sum, spin_count, redemption_count, rating_band,
        private.customer_wins(org_id, id) as win_count
      from public.customers where org_id = ${ours.id} order by id`;
    const rebuilt = await sql`
      select c.id, r.reviews as review_count, r.stars as rating_sum, s.spins as spin_count, s.wins as win_count,
        d.used as redemption_count, case when r.reviews = 0 then 0 else round(r.stars::numeric / r.reviews)::int end
          as rating_band
      from public.customers c
      cross join lateral (select count(*)::int as reviews, coalesce(sum(rating), 0)::int as stars
        from public.pre_spin_reviews r where r.customer_id = c.id) r
      cross join lateral (select count(*)::int as spins, count(reward_id)::int as wins
        from public.spins s where s.customer_id = c.id) s
      cross join lateral (select count(*)::int as used
        from public.redemptions d where d.customer_id = c.id and d.status = 'used') d
      where c.org_id = ${ours.id} order by c.id`;
    expect([...kept]).toEqual([...rebuilt]);
    expect(kept).toHaveLength(3);
    expect((await list()).totals).toEqual({
      customers: 3,
      consents: 1,
      participants: 2,
      reviews: 3,
      rating_sum: 10,
    });
  });

  it("forget somebody whom a refused spin made", async () => {
    await database.sql`delete from public.wheel_segments where campaign_id = ${campaign.id}`;
    await database.sql`update public.rewards set active = false where id = ${rewardId}`;
    const { outcome } = await spin(database.sql, { campaignId: campaign.id });
    expect(outcome).toBe("nothing_to_draw");
    expect((await list()).totals.customers).toBe(0);
  });

  it("go with their organisation", async () => {
    const spare = await createOrganization(database.sql);
    await database.sql`
      insert into public.customers (org_id, name, email) values (${spare.id}, 'Ana', 'ana@exemple.fr')`;
    await database.sql`select private.fold_figures(1000)`;
    await database.sql`
      insert into public.customers (org_id, name, email) values (${spare.id}, 'Bruno', 'bruno@exemple.fr')`;
    await database.sql`delete from public.organizations where id = ${spare.id}`;
    await database.sql`select private.fold_figures(1000)`;
    expect(await database.sql`select from private.recent_figures`).toHaveLength(0);
    expect(
      await database.sql`select from public.customer_totals where org_id = ${spare.id}`,
    ).toHaveLength(0);
  });
});

describe("the list", () => {
  it("finds by name, e-mail and phone, whatever case, accents and spaces", async () => {
    await visit({ firstName: "Anaïs", lastName: "Le Goff", email: "al@exemple.fr" });
    await visit({ firstName: "Bruno", lastName: "Petit", email: null, phone: "+33 6 12 34 56 78" });
    expect(await names({ search: "anais le" })).toEqual(["Anaïs Le Goff"]);
    expect(await names({ search: "GOFF" })).toEqual(["Anaïs Le Goff"]);
    expect(await names({ search: "al@exemple" })).toEqual(["Anaïs Le Goff"]);
    expect(await names({ search: "06 12 34" })).toEqual(["Bruno Petit"]);
    for (const search of ["+33 6 12", "+33 (0)6 12", "(+33) 612", "0033 6 12", "33612345678"]) {
      expect(await names({ search })).toEqual(["Bruno Petit"]);
    }
    // One or two signs begin a word, or a number.
    expect(await names({ search: "é" })).toEqual(["Anaïs Le Goff"]);
    expect(await names({ search: "Pe" })).toEqual(["Bruno Petit"]);
    expect(await names({ search: "of" })).toEqual([]);
    expect(await names({ search: "off" })).toEqual(["Anaïs Le Goff"]);
    expect(await names({ search: "06" })).toEqual(["Bruno Petit"]);
    expect(await names({ search: "12" })).toEqual([]);
    expect(await names({ search: "%" })).toEqual([]);
    expect(await names({ search: "zzz" })).toEqual([]);
    // A new name is found, the old one no more.
    await database.sql`update public.customers set first_name = 'Zoé', name = 'Zoé Le Goff' where email = 'al@exemple.fr'`;
    expect(await names({ search: "zoe" })).toEqual(["Zoé Le Goff"]);
    expect(await names({ search: "anais" })).toEqual([]);
  });

  it("finds names in every script, whatever case and marks, as it does French ones", async () => {
    const people = [
      ["Иван", "Петров"],
      ["王", "小明"],
      ["محمد", "علي"],
      ["Ελένη", "Παπαδοπούλου"],
      ["Գայանե", "Ջոն"],
      ["हिन्दी", "२३"],
      ["Éva", "O’Hara 🎁"],
    ] as const;
    for (const [firstName, lastName] of people) await visit({ firstName, lastName });
    const found: Record<string, string> = {
      Иван: "Иван Петров",
      "ПЕТРОВ И": "Иван Петров",
      "ПЕТРОВ Ж": "",
      "иван-петр": "Иван Петров",
      ров: "Иван Петров",
      王: "王 小明",
      明: "王 小明",
      علي: "محمد علي",
      مُحَمَّد: "محمد علي",
      ΕΛΈΝΗ: "Ελένη Παπαδοπούλου",
      παπαδοπουλου: "Ελένη Παπαδοπούλου",
      գայ: "Գայանե Ջոն",
      "२३": "हिन्दी २३",
      "eva o'hara": "Éva O’Hara 🎁",
      // How the others' letters are kept says nothing to a search of ours.
      qae: "",
      Ж: "",
      "🎁": "",
      "’": "",
    };
    for (const [search, name] of Object.entries(found)) {
      expect(await names({ search }), search).toEqual(name === "" ? [] : [name]);
    }
  });

  it("filters by consent, rating, last activity and store, and counts what it finds", async () => {
    const { sql } = database;
    const orgId = ours.id;
    const elsewhere = await createStore(sql, { orgId });
    const there = await createCampaign(sql, { orgId, storeId: elsewhere });
    await visit({ firstName: "Cinq", lastName: "A", rating: 5, consent: true });
    await visit({ firstName: "Deux", lastName: "B", rating: 2 });
    await review(sql, { campaignId: there.id, firstName: "Ailleurs", lastName: "C", rating: 5 });
    await spin(sql, { campaignId: campaign.id, name: "Sans avis" });
    await sql`
      update public.customers set last_activity_at = now() - interval '100 days' where name = 'Deux B'`;
    expect(await names({ consent: true })).toEqual(["Cinq A"]);
    expect((await list({ consent: false })).matches).toBe(3);
    expect(await names({ rating: 5 })).toEqual(["Ailleurs C", "Cinq A"]);
    expect(await names({ rating: 0 })).toEqual(["Sans avis"]);
    expect(await names({ activity: "older" })).toEqual(["Deux B"]);
    expect((await list({ activity: "7" })).matches).toBe(3);
    expect(await names({ store_id: elsewhere })).toEqual(["Ailleurs C"]);
    expect(await names({ rating: 5, consent: true, activity: "30", search: "cinq" })).toEqual([
      "Cinq A",
    ]);
    expect((await list({ rating: 3 })).matches).toBe(0);
  });

  it("counts what a search finds up to 100, with the page itself, and filters exactly", async () => {
    await database.sql`
      insert into public.customers (org_id, name, email, created_at)
      select ${ours.id}, case when n <= 103 then 'Marthe ' else 'Paul ' end || n, 'client' || n || '@exemple.fr',
        now() - n * interval '1 minute'
      from generate_series(1, 140) n`;
    const first = await list({ search: "marthe" });
    expect(first).toMatchObject({ matches: 100, has_more_matches: true, has_next: true });
    expect(first.items).toHaveLength(25);
    const second = await list({ search: "marthe" }, { after: first.items.at(-1)?.id ?? "" });
    expect(second).toMatchObject({ matches: 100, has_more_matches: true, has_previous: true });
    expect(second.items[0]?.name).toBe("Marthe 26");
    expect(await list({ search: "paul" })).toMatchObject({
      matches: 37,
      has_more_matches: false,
      has_next: true,
    });
    expect(await list({ consent: false })).toMatchObject({ matches: 140, has_more_matches: false });
    expect(await count({ search: "marthe" })).toEqual({ matches: 103, is_estimate: false });
    expect(await count({ search: "marthe", rating: 5 })).toEqual({
      matches: 0,
      is_estimate: false,
    });
    expect(await count({ search: "%" })).toEqual({ matches: 0, is_estimate: false });
  });

  it("counts up to 10,000, and estimates what is more", async () => {
    await undone(database.sql, async (sql) => {
      await sql`alter table public.customers disable trigger user`;
      await sql`
        insert into public.customers (org_id, name, email)
        select ${ours.id}, case when n <= 12000 then 'Martin ' else 'Paul ' end || n, 'client' || n || '@exemple.fr'
        from generate_series(1, 22000) n`;
      await sql`insert into public.customer_totals (org_id, customers) values (${ours.id}, 22000)`;
      await sql`analyze public.customers`;
      await become(sql, asUser("member"));
      const counts = async (search: string) => {
        const [row] = await sql<{ answer: unknown }[]>`
          select public.customer_count(${ours.id}, ${sql.json({ search })}) as answer`;
        return whole(customerCount, row?.answer);
      };
      expect(await counts("paul")).toEqual({ matches: 10000, is_estimate: false });
      const many = await counts("martin");
      expect(many.is_estimate).toBe(true);
      expect(many.matches).toBeGreaterThan(10000);
      expect(many.matches).toBeLessThan(14000);
    });
  });

  it("goes forth and back by 25, and nobody is shown twice or missed", async () => {
    await database.sql`
      insert into public.customers (org_id, name, email, created_at)
      select ${ours.id}, 'Client ' || n, 'client' || n || '@exemple.fr', now() - (n / 4) * interval '1 minute'
      from generate_series(1, 60) n`;
    const first = await list();
    expect(first).toMatchObject({ matches: 60, has_previous: false, has_next: true });
    const second = await list({}, { after: first.items.at(-1)?.id ?? "" });
    expect(second).toMatchObject({ has_previous: true, has_next: true });
    const third = await list({}, { after: second.items.at(-1)?.id ?? "" });
    expect(third).toMatchObject({ has_previous: true, has_next: false });
    const all = [first, second, third].flatMap(({ items }) => items.map(({ id }) => id));
    expect(new Set(all).size).toBe(60);
    const back = await list({}, { before: third.items[0]?.id ?? "" });
    expect(back).toMatchObject({ has_previous: true, has_next: true });
    expect(back.items).toEqual(second.items);
    const start = await list({}, { before: second.items[0]?.id ?? "" });
    expect(start).toMatchObject({ has_previous: false, has_next: true });
    expect(start.items).toEqual(first.items);
    // Somebody who is no longer known leads to the start.
    expect((await list({}, { after: randomUUID() })).items).toEqual(first.items);
  });

  it("shows its first page where nobody stands on a later one any more", async () => {
    const { sql } = database;
    await sql`
      insert into public.customers (org_id, name, email, consent_marketing, created_at)
      select ${ours.id}, 'Client ' || n, 'client' || n || '@exemple.fr', true, now() - n * interval '1 minute'
      from generate_series(1, 26) n`;
    for (const filters of [{ consent: true }, { search: "client" }, {}]) {
      const first = await list(filters);
      const after = first.items.at(-1)?.id ?? "";
      const [last] = (await list(filters, { after })).items;
      expect(last?.name).toBe("Client 26");
      await undone(sql, async (inner) => {
        await inner`delete from public.customers where id = ${last?.id ?? ""}`;
        await become(inner, asUser("member"));
        const [row] = await inner<{ answer: unknown }[]>`
          select public.customer_list(${ours.id}, ${inner.json(filters)}, ${after}) as answer`;
        const left = whole(customerList, row?.answer);
        expect(left.items).toEqual(first.items);
        expect(left).toMatchObject({ matches: 25, has_previous: false, has_next: false });
      });
    }
  });

  it("answers from indexes however many customers there are", async () => {
    const { sql } = database;
    const other = await createOrganization(sql);
    // The tables are made small again, since later tests compare them as a whole.
    onTestFinished(async () => {
      await sql.begin(async (transaction) => {
        await transaction`set local session_replication_role = replica`;
        await transaction`delete from public.customers where org_id in (${ours.id}, ${other.id})`;
      });
    });
    await sql.begin(async (transaction) => {
      // Rows as the triggers would leave them; counting them one by one is not asked here.
      await transaction`set local session_replication_role = replica`;
      await transaction`
        insert into public.customers (org_id, name, email, created_at)
        select o, 'Client ' || n, 'client' || n || '@exemple.fr', now() - n * interval '1 minute'
        from unnest(${[ours.id, other.id]}::uuid[]) o, generate_series(1, 20000) n`;
    });
    await sql`vacuum analyze public.customers`;
    const explain = async (filters: CustomerFilters) => {
      const rows = await sql.unsafe<{ "QUERY PLAN": string }[]>(`
        explain select c.created_at, c.id from public.customers c
        where c.org_id = '${ours.id}' and private.matches_filters(c, '${JSON.stringify(filters)}')
        order by c.created_at desc, c.id desc limit 26`);
      return rows.map((line) => line["QUERY PLAN"]).join("\n");
    };
    const plans = {
      all: await explain({}),
      filtered: await explain({ rating: 5, consent: true, activity: "7" }),
      searched: await explain({ search: "client777" }),
      begun: await explain({ search: "zx" }),
      inCyrillic: await explain({ search: "Иван" }),
      inChinese: await explain({ search: "王" }),
      inStore: await explain({ rating: 5, store_id: other.storeId }),
    };
    expect(plans.all).toContain("customers_list_idx");
    expect(plans.searched).toContain("customers_words_idx");
    expect(plans.begun).toContain("customers_words_idx");
    expect(plans.inCyrillic).toContain("customers_words_idx");
    expect(plans.inChinese).toContain("customers_words_idx");
    expect(plans.inStore).toMatch(/customers_(store|rating)_list_idx/);
    expect(Object.values(plans).join("\n")).not.toContain("Seq Scan");
  });

  it("is closed to cashiers and to other organisations", async () => {
    const other = await createOrganization(database.sql);
    expect(await refusal(() => list({}, { as: asUser("cashier") }))).toBe("42501");
    expect(await refusal(() => list({}, { as: { userId: other.users.owner.id } }))).toBe("42501");
  });
});

describe("the page of a customer", () => {
  it("holds what they did, newest first, up to 20 of a kind", async () => {
    const { sql } = database;
    const email = "ana@exemple.fr";
    // Data and campaigns of others do not appear on this customer's page.
    await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    await sql`update public.rewards set value = 2.5 where id = ${rewardId}`;
    for (let n = 0; n < 21; n += 1) await spin(sql, { campaignId: campaign.id, email });
    await visit({ email, rating: 2 });
    await visit({ email, rating: 5 });
    const id = await idOf(email);
    const [won] = await sql<{ code: string }[]>`
      select code from public.redemptions where org_id = ${ours.id} limit 1`;
    await redeem(sql, {
      userId: ours.users.cashier.id,
      code: won?.code ?? "",
      storeId: ours.storeId,
    });
    const points = await createReward(sql, campaign, { type: "points", metadata: { points: 30 } });
    await sql`update public.wheel_segments set reward_id = ${points} where campaign_id = ${campaign.id}`;
    await spin(sql, { campaignId: campaign.id, email });
    const shown = await detail(id);
    expect(shown).toMatchObject({
      review_count: 2,
      rating_sum: 7,
      spin_count: 22,
      win_count: 22,
      redemption_count: 1,
      open_codes: 20,
      points: 30,
    });
    expect(shown.reviews.map(({ rating }) => rating)).toEqual([5, 2]);
    expect(shown.spins).toHaveLength(20);
    expect(shown.spins[0]).toMatchObject({ points: 30 });
    const [played] = await sql`
      select s.id, c.name as campaign from public.spins s join public.campaigns c on c.id = s.campaign_id
      where s.org_id = ${ours.id} order by s.created_at desc, s.id desc offset 1 limit 1`;
    expect(shown.spins[1]).toMatchObject({
      ...played,
      reward: "Café offert",
      value: 2.5,
      points: null,
    });
    expect(shown.redemptions).toMatchObject([{ reward: "Café offert", code: won?.code }]);
  });

  it("holds the last 20 rewards that they used, newest first", async () => {
    const { sql } = database;
    const email = "ana@exemple.fr";
    for (let n = 0; n < 21; n += 1) await spin(sql, { campaignId: campaign.id, email });
    const { id: userId } = ours.users.cashier;
    const codes = await sql<{ code: string }[]>`
      select code from public.redemptions where org_id = ${ours.id} order by id`;
    for (const { code } of codes) await redeem(sql, { userId, code, storeId: ours.storeId });
    const shown = await detail(await idOf(email));
    expect(shown.redemptions.map(({ code }) => code)).toEqual(
      codes
        .map(({ code }) => code)
        .toReversed()
        .slice(0, 20),
    );
  });

  it("is nobody else's to read", async () => {
    await visit({ email: "ana@exemple.fr" });
    const id = await idOf("ana@exemple.fr");
    const other = await createOrganization(database.sql);
    const statement = "select public.customer_detail($1) as answer";
    expect(await call({ userId: other.users.owner.id }, statement, [id])).toBeNull();
    expect(await call(asUser("cashier"), statement, [id])).toBeNull();
  });
});

describe("consent", () => {
  it("keeps the language in which its sentence was shown, whatever a later visit speaks", async () => {
    await visit({ email: "ana@exemple.fr", locale: "nl" });
    await visit({ email: "ana@exemple.fr", locale: "de", consent: true });
    await visit({ email: "ana@exemple.fr", locale: "it", consent: true });
    const { consent, locale } = await detail(await idOf("ana@exemple.fr"));
    expect({ locale, shown: consent?.locale }).toEqual({ locale: "it", shown: "de" });
  });

  it("keeps its date, who gave it and the sentence that was shown", async () => {
    await visit({ email: "ana@exemple.fr", consent: true });
    const { consent } = await detail(await idOf("ana@exemple.fr"));
    expect(consent).toMatchObject({
      by: "customer",
      version: 1,
      organizer: ours.name,
      locale: "fr",
    });
    const [row] = await database.sql`select private.consent_version() as version`;
    // Two homes: the number in SQL is the last of the sentences.
    expect(row?.version).toBe(consentWordings.length);
  });

  it("given by the team says so, and goes without a trace of the sentence when withdrawn", async () => {
    await visit({ email: "ana@exemple.fr" });
    const before = await detail(await idOf("ana@exemple.fr"));
    expect(before.consent).toBeNull();
    await save({ ...before, consent: true });
    const given = await detail(before.id);
    expect(given.consent).toMatchObject({ by: "team", version: null, locale: null });
    await save({ ...given, consent: false });
    expect((await detail(before.id)).consent).toBeNull();
    expect((await list()).totals.consents).toBe(0);
  });
});

describe("saving", () => {
  it("changes name, contact and note, and the customer is found by what is new", async () => {
    await visit({ email: "ana@exemple.fr" });
    const before = await detail(await idOf("ana@exemple.fr"));
    const saved = await save({
      ...before,
      first_name: " Anne ",
      last_name: "Durand",
      email: "anne@exemple.fr",
      phone: "06 12 34 56 78",
      note: "Préfère le thé.",
      consent: false,
    });
    expect(saved).toEqual({ outcome: "saved", version: before.version + 1 });
    expect(await detail(before.id)).toMatchObject({
      name: "Anne Durand",
      email: "anne@exemple.fr",
      phone: "06 12 34 56 78",
      note: "Préfère le thé.",
    });
    expect(await names({ search: "durand" })).toEqual(["Anne Durand"]);
  });

  it("names the other customer who has the address or the number", async () => {
    await visit({ email: "ana@exemple.fr" });
    await visit({ firstName: "Bruno", email: "Bruno.Petit@gmail.com" });
    await visit({ firstName: "Chloé", email: null, phone: "+33612345678" });
    const ana = await detail(await idOf("ana@exemple.fr"));
    const before = await everythingStored(database.sql);
    expect(await save({ ...ana, email: "brunopetit+vip@gmail.com", consent: false })).toMatchObject(
      {
        outcome: "email_taken",
        other: { name: "Bruno Petit" },
      },
    );
    expect(await save({ ...ana, phone: "06 12 34 56 78", consent: false })).toMatchObject({
      outcome: "phone_taken",
      other: { name: "Chloé Petit" },
    });
    expect(await everythingStored(database.sql)).toEqual(before);
  });

  it("of two at once, one is refused as too late", async () => {
    await visit({ email: "ana@exemple.fr" });
    const ana = await detail(await idOf("ana@exemple.fr"));
    const outcomes = await Promise.all([
      save({ ...ana, note: "Un", consent: false }),
      save({ ...ana, note: "Deux", consent: false }, asUser("admin")),
    ]);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["conflict", "saved"]);
  });

  it("is refused to cashiers, to other organisations and without any contact", async () => {
    await visit({ email: "ana@exemple.fr" });
    const ana = { ...(await detail(await idOf("ana@exemple.fr"))), consent: false };
    const other = await createOrganization(database.sql);
    expect(await refusal(() => save(ana, asUser("cashier")))).toBe("42501");
    expect(await refusal(() => save(ana, { userId: other.users.owner.id }))).toBe("42501");
    expect(await refusal(() => save({ ...ana, email: null, phone: null }))).toBe("23514");
    expect(await refusal(() => save({ ...ana, first_name: "", last_name: " " }))).toBe("23514");
  });
});

describe("an e-mail address", () => {
  const BAD = ["a@b.fr>", "<a@b.test>", "a@b.fr;", "race@x.fr.", "a@b.fr%0aBcc:x", "é@b.test"];

  it("that is none is taken by nothing that writes customers", async () => {
    await visit({ email: "ana@exemple.fr", phone: "06 12 34 56 78" });
    const ana = { ...(await detail(await idOf("ana@exemple.fr"))), consent: false };
    for (const email of BAD) {
      expect(await refusal(() => save({ ...ana, email }))).toBe("23514");
      expect(await refusal(() => visit({ email, phone: "06 12 34 56 78" }))).toBe("23514");
      const insert = "insert into public.customers (org_id, name, email) values ($1, 'Bruno', $2)";
      expect(await refusal(() => call(asUser("member"), insert, [ours.id, email]))).toBe("23514");
    }
  });

  it("that is older than the rule stays, and lets the rest be saved", async () => {
    await visit({ email: "ana@exemple.fr" });
    const id = await idOf("ana@exemple.fr");
    await database.sql`alter table public.customers disable trigger check_email_on_update`;
    await database.sql`update public.customers set email = 'é@b.test' where id = ${id}`;
    await database.sql`alter table public.customers enable trigger check_email_on_update`;
    const ana = { ...(await detail(id)), consent: false };
    expect(await save({ ...ana, note: "À rappeler" })).toMatchObject({ outcome: "saved" });
    expect((await detail(id)).email).toBe("é@b.test");
  });
});

describe("a copy of a person's data", () => {
  const copy = (id: string, as: Caller) =>
    call(as, "select public.copy_customer_data($1) as answer", [id]);
  const trail = async () =>
    await database.sql<{ action: string; subject_id: string }[]>`
      select action, subject_id from public.audit_events
      where org_id = ${ours.id} and action = 'customer.exported'`;

  it("holds what the team keeps and won, on any plan, and is in the trail without it", async () => {
    const { sql } = database;
    const email = "ana.copie@exemple.fr";
    const { review_id: reviewId } = await visit({ firstName: "Anacopie", email, rating: 2 });
    await sql`select public.record_feedback(${reviewId}, 'Le café était froid, dommage.')`;
    await spin(sql, { campaignId: campaign.id, reviewId });
    const id = await idOf(email);
    await sql`update public.customers set note = 'À rappeler' where id = ${id}`;
    await sql`
      update public.subscriptions set status = 'canceled', closed_at = now() - interval '60 days'
      where org_id = ${ours.id}`;
    const [won] = await sql<{ code: string }[]>`
      select code from public.redemptions where org_id = ${ours.id}`;
    expect(await copy(id, asUser("admin"))).toMatchObject({
      customers: [{ id, email, note: "À rappeler" }],
      pre_spin_reviews: [{ rating: 2, review_text: "Le café était froid, dommage." }],
      redemptions: [{ code: won?.code }],
    });
    expect(await trail()).toEqual([{ action: "customer.exported", subject_id: id }]);
    const [row] = await sql<{ text: string }[]>`
      select string_agg(e::text, ' ') as text from public.audit_events e where org_id = ${ours.id}`;
    expect(row?.text).not.toMatch(/anacopie|ana\.copie/i);
  });

  it("is not for whoever may not erase them, or not read their codes and reviews", async () => {
    const { sql } = database;
    await visit({ email: "ana.copie@exemple.fr" });
    const id = await idOf("ana.copie@exemple.fr");
    const other = await createOrganization(sql);
    await giveRole(sql, ours.users.cashier, {
      orgId: ours.id,
      permissions: ["customers.read", "customers.write", "customers.delete", "codes.read"],
    });
    for (const as of [asUser("cashier"), asUser("member"), { userId: other.users.owner.id }]) {
      await expect(copy(id, as)).rejects.toMatchObject({ code: "42501" });
    }
    expect(await trail()).toEqual([]);
  });
});

describe("forgetting a person", () => {
  const erase = (id: string, as: Caller) =>
    call(as, "select public.erase_customer($1)::text as answer", [id]);

  it("leaves the figures and codes, and nothing that says who it was", async () => {
    const { sql } = database;
    const email = "ana.secret@exemple.fr";
    const first = await visit({ firstName: "Anasecret", email, rating: 2, consent: true });
    await sql`select public.record_feedback(${first.review_id}, 'Je suis Anasecret et j''ai attendu.')`;
    await spin(sql, { campaignId: campaign.id, reviewId: first.review_id });
    const points = await createReward(sql, campaign, { type: "points" });
    await sql`update public.wheel_segments set reward_id = ${points} where campaign_id = ${campaign.id}`;
    await spin(sql, { campaignId: campaign.id, email, name: "Anasecret" });
    const id = await idOf(email);
    const figures = async () =>
      campaignList.parse(
        await call(asUser("member"), "select public.campaign_list($1) as answer", [ours.id]),
      ).figures;
    const before = await figures();

    await erase(id, asUser("admin"));
    for (const table of [
      "customers",
      "pre_spin_reviews",
      "spins",
      "redemptions",
      "points_ledger",
    ]) {
      const rows = await sql.unsafe(
        `select t::text as row from public.${table} t where org_id = '${ours.id}'`,
      );
      expect(
        rows
          .map(({ row }) => String(row))
          .join("\n")
          .toLowerCase(),
      ).not.toContain("anasecret");
      expect(rows.map(({ row }) => String(row)).join("\n")).not.toContain(id);
    }
    expect(await figures()).toEqual(before);
    expect((await list()).totals).toMatchObject({ customers: 0, consents: 0, participants: 0 });
    // The code in their hands stays good.
    const [won] = await sql<{ code: string }[]>`
      select code from public.redemptions where org_id = ${ours.id}`;
    const userId = ours.users.cashier.id;
    expect(await redeem(sql, { userId, code: won?.code ?? "", storeId: ours.storeId })).toBe(
      "redeemed",
    );
  });

  it("takes along what was written to them and about them, sent or not, and nobody else's mail to the same address", async () => {
    const { sql } = database;
    const email = "ana.secret@exemple.fr";
    const elsewhere = await createOrganization(sql);
    const theirs = await createCampaign(sql, { orgId: elsewhere.id, storeId: elsewhere.storeId });
    await drawWheel(sql, theirs, [{ weight: 100, rewardId: await createReward(sql, theirs) }]);
    await sql`
      insert into public.notification_preferences (org_id, user_id, email, low_ratings)
      values (${ours.id}, ${ours.users.owner.id}, true, true)`;
    const mailPrize = async (campaignId: string, reviewId?: string) => {
      const answer = await spin(sql, { campaignId, email, ...(reviewId && { reviewId }) });
      const { spin_id: id } = spinResult.parse(JSON.parse(answer.body ?? ""));
      await sql`
        select public.mail_prize(${campaignId}, ${id}, s.nonce, null, ${randomUUID()}) from public.spins s where s.id = ${id}`;
    };
    const first = await visit({ firstName: "Anasecret", email, rating: 2 });
    await sql`select public.record_feedback(${first.review_id}, 'Je suis Anasecret et j''ai attendu.')`;
    await mailPrize(campaign.id, first.review_id);
    await mailPrize(campaign.id);
    await mailPrize(theirs.id);
    const mails = () =>
      sql<{ template: string; state: string; row: string }[]>`
        select template, state, o::text as row from private.outbox o
        where o::text ilike '%ana%secret%' order by template, state`;
    // One of them has left already.
    await sql`
      update private.outbox set state = 'sent', data = '{}', settled_at = now()
      where id = (select id from private.outbox where recipient = ${email} order by id limit 1)`;
    expect((await mails()).map(({ template, state }) => [template, state])).toEqual([
      ["low_rating", "queued"],
      ["prize", "queued"],
      ["prize", "queued"],
      ["prize", "sent"],
    ]);
    await erase(await idOf(email), asUser("admin"));
    expect((await mails()).map(({ row }) => row)).toEqual([expect.stringContaining(theirs.slug)]);
  });

  it("waits for a mail that is being written to them, which goes as well", async () => {
    const { sql } = database;
    const email = "ana.tard@exemple.fr";
    const { review_id: reviewId } = await visit({ email });
    const id = await idOf(email);
    const [review] = await sql<{ alias: string }[]>`select private.alias_of(${reviewId}) as alias`;
    const { erased } = await sql.begin(async (team) => {
      await become(team, { userId: ours.users.owner.id });
      await team`
        select public.answer_review(${review?.alias ?? ""}, 0, 'Merci Ana.', ${randomUUID()})`;
      const answer = erase(id, asUser("admin"));
      await untilWaiting(sql);
      return { erased: { answer } };
    });
    await erased.answer;
    expect(await sql`select from private.outbox where recipient = ${email}`).toHaveLength(0);
    expect(
      await sql`
      select delivery, body from public.review_actions where org_id = ${ours.id} and kind = 'answer'`,
    ).toEqual([{ delivery: "failed", body: null }]);
  });

  it("comes by itself three years after the last contact, not a day before", async () => {
    const { sql } = database;
    const age = (email: string, created: string, seen: string) => sql`
      update public.customers set created_at = now() - ${created}::interval, last_activity_at = now() - ${seen}::interval
      where org_id = ${ours.id} and email = ${email}`;
    for (const [email, created, seen] of [
      ["gone@exemple.fr", "5 years", "3 years 1 day"],
      ["kept@exemple.fr", "5 years", "2 years 364 days"],
    ] as const) {
      const { review_id: reviewId } = await visit({ email, firstName: "Anasecret" });
      await spin(sql, { campaignId: campaign.id, reviewId });
      await age(email, created, seen);
    }
    const [swept] = await sql<{ count: number }[]>`select private.sweep_customers(100) as count`;
    expect(swept?.count).toBe(1);
    const left = await sql`select email from public.customers where org_id = ${ours.id}`;
    expect(left).toEqual([{ email: "kept@exemple.fr" }]);
    for (const table of ["pre_spin_reviews", "spins", "redemptions"]) {
      const rows =
        await sql`select t::text as row from ${sql(`public.${table}`)} t where org_id = ${ours.id}`;
      expect(rows).toHaveLength(2);
      expect(rows.filter(({ row }) => String(row).includes("gone@exemple.fr"))).toEqual([]);
    }
    const [again] = await sql<{ count: number }[]>`select private.sweep_customers(100) as count`;
    expect(again?.count).toBe(0);
  });

  it("is put off by whatever the person does: a review, a spin, points that are spent, a code at the till", async () => {
    const { sql } = database;
    const email = "fidele@exemple.fr";
    await visit({ email });
    const id = await idOf(email);
    const game = await createCampaign(sql, {
      orgId: ours.id,
      storeId: ours.storeId,
      playIntervalDays: 0,
    });
    const points = await createReward(sql, game, { type: "points" });
    await drawWheel(sql, game, [{ weight: 100, rewardId: points }]);
    const tea = await createPointsReward(sql, { orgId: ours.id, cost: 20 });
    const use = (code: string | null | undefined) =>
      redeem(sql, { userId: ours.users.cashier.id, code: code ?? "", storeId: ours.storeId });
    const won = await spin(sql, { campaignId: campaign.id, email });
    const proofs = [await winPoints(sql, { campaignId: game.id, email })];
    const spend = { campaignId: game.id, proofs, rewardId: tea.id, cost: tea.cost };
    const { body } = await spendPoints(sql, spend);
    for (const [what, act] of [
      ["review", () => visit({ email })],
      ["turn", () => spin(sql, { campaignId: campaign.id, email })],
      ["points", () => spendPoints(sql, spend)],
      ["code", () => use(spinResult.parse(JSON.parse(won.body ?? "")).redemption_code)],
      ["code for points", () => use(body?.codes[0]?.code)],
    ] as const) {
      await sql`
        update public.customers set created_at = now() - interval '5 years', last_activity_at = now() - interval '4 years'
        where id = ${id}`;
      await act();
      const [row] = await sql`
        select last_activity_at > now() - interval '1 hour' as is_back from public.customers where id = ${id}`;
      expect({ what, is_back: row?.is_back }).toEqual({ what, is_back: true });
    }
  });

  it("is for owners and admins of the organisation", async () => {
    await visit({ email: "ana@exemple.fr" });
    const id = await idOf("ana@exemple.fr");
    const other = await createOrganization(database.sql);
    expect(await refusal(() => erase(id, asUser("member")))).toBe("42501");
    expect(await refusal(() => erase(id, { userId: other.users.owner.id }))).toBe("42501");
  });
});
