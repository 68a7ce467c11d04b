import { randomUUID } from "node:crypto";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { applyPlatform, platformFingerprint } from "../../server/postgres/bootstrap.ts";
import { applyMigrations, listMigrations } from "../../server/postgres/migrate.ts";
import { prepareDatabase } from "../../server/postgres/prepare-database.ts";

/** Customers who were several until 20261123061100_one_person.sql, in a database made with the migrations before it. */

const FIRST_AFTER = "20261123061000";

let admin: Sql;
let sql: Sql;
const name = `one_person_${randomUUID().slice(0, 8)}`;

/** Rows are written as that schema has them: helpers of today's would not fit it for long. */
type Shop = { id: string; storeId: string; campaignId: string; rewardId: string };

async function idOf(rows: PromiseLike<{ id: string }[]>): Promise<string> {
  const [row] = await rows;
  if (row === undefined) throw new Error("No row was inserted.");
  return row.id;
}

async function createShop(): Promise<Shop> {
  const slug = `boulangerie-${randomUUID().slice(0, 8)}`;
  const id = await idOf(sql`
    insert into public.organizations (name, slug) values ('Boulangerie', ${slug}) returning id`);
  await sql`insert into public.subscriptions (org_id, plan) values (${id}, 'pro')`;
  const storeId = await idOf(sql`
    insert into public.stores (org_id, name, slug, address) values (${id}, 'Paris', 'paris', '1 rue de la Paix')
    returning id`);
  const campaignId = await idOf(sql`
    insert into public.campaigns (org_id, store_id, name, slug) values (${id}, ${storeId}, 'Été', ${slug})
    returning id`);
  const rewardId = await idOf(sql`
    insert into public.rewards (org_id, campaign_id, name, type, reward_type, stock, max_per_user)
    values (${id}, ${campaignId}, 'Café', 'gift', 'gift', -1, 1) returning id`);
  return { id, storeId, campaignId, rewardId };
}

type Known = {
  name?: string;
  email?: string;
  phone?: string;
  /** Day of the first visit, in November 2026. */
  day: number;
  /** Day of the consent; without one there is none. */
  consentDay?: number;
  note?: string;
  ratings?: number[];
  points?: number;
};

/** A customer with a review a rating, each followed by a turn that won a code; the first code is used. */
async function known(shop: Shop, person: Known): Promise<string> {
  const { name: full = "Zoé", email = null, phone = null, ratings = [], day, points } = person;
  const at = new Date(Date.UTC(2026, 10, day, 12));
  const id = await idOf(sql`
    insert into public.customers
      (org_id, store_id, name, email, phone, note, consent_marketing, spin_count, created_at, last_activity_at)
    values (${shop.id}, ${shop.storeId}, ${full}, ${email}, ${phone}, ${person.note ?? null},
      ${person.consentDay !== undefined}, ${ratings.length}, ${at}, ${at}) returning id`);
  if (person.consentDay !== undefined) {
    const given = new Date(Date.UTC(2026, 10, person.consentDay, 12));
    await sql`update public.customers set consent_at = ${given} where id = ${id}`;
  }
  for (const [n, rating] of ratings.entries()) {
    await sql`
      insert into public.pre_spin_reviews
        (org_id, campaign_id, store_id, customer_id, visit_id, customer_name, customer_email, rating)
      values (${shop.id}, ${shop.campaignId}, ${shop.storeId}, ${id}, ${randomUUID()}, ${full}, ${email}, ${rating})`;
    const spinId = await idOf(sql`
      insert into public.spins (org_id, campaign_id, store_id, customer_id, play_id, segment_id, reward_id,
        end_user_email, end_user_name, result_type, nonce, rules_version, result)
      values (${shop.id}, ${shop.campaignId}, ${shop.storeId}, ${id}, ${randomUUID()}, ${randomUUID()},
        ${shop.rewardId}, ${email}, ${full}, 'reward', ${randomUUID()}, 1, '{}') returning id`);
    const codeId = await idOf(sql`
      insert into public.redemptions
        (org_id, campaign_id, store_id, reward_id, spin_id, customer_id, code, reward_name, end_user_email)
      values (${shop.id}, ${shop.campaignId}, ${shop.storeId}, ${shop.rewardId}, ${spinId}, ${id},
        ${`WIN${randomUUID().slice(0, 8)}`}, 'Café', ${email}) returning id`);
    if (n === 0) {
      await sql`update public.redemptions set status = 'used', used_at = now() where id = ${codeId}`;
    }
    if (n === 0 && points !== undefined) {
      await sql`
        insert into public.points_ledger (org_id, customer_id, spin_id, reward_id, points)
        values (${shop.id}, ${id}, ${spinId}, ${shop.rewardId}, ${points})`;
    }
  }
  return id;
}

const customer = async (id: string) => {
  const [row] = await sql`select * from public.customers where id = ${id}`;
  return row;
};

const rowsOf = (shop: Shop) => sql<{ id: string }[]>`
  select id from public.customers where org_id = ${shop.id} order by created_at, id`;

/** What all customers did, whoever they are. */
const eventsOf = (shop: Shop) => sql`
  select
    (select count(*)::int from public.pre_spin_reviews r where r.org_id = ${shop.id} and r.customer_id is not null) as reviews,
    (select count(*)::int from public.spins s where s.org_id = ${shop.id} and s.customer_id is not null) as spins,
    (select count(*)::int from public.redemptions r where r.org_id = ${shop.id} and r.customer_id is not null) as codes,
    (select coalesce(sum(l.points), 0)::int from public.points_ledger l where l.org_id = ${shop.id}) as points`;

let lone: Shop;
let family: Shop;
let elsewhere: Shop;
let ids: Record<string, string>;
let alone: Record<string, unknown>;
let events: Record<string, unknown>[];

beforeAll(async () => {
  const { adminUrl } = inject("database");
  admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await admin`create database ${admin(name)}`;
  const address = new URL(adminUrl);
  address.pathname = `/${name}`;
  sql = postgres(address.href, { max: 1, onnotice: () => {} });
  await applyPlatform(sql, await platformFingerprint());
  const migrations = await listMigrations();
  await applyMigrations(
    sql,
    migrations.filter(({ version }) => version < FIRST_AFTER),
  );

  [lone, family, elsewhere] = [await createShop(), await createShop(), await createShop()];
  ids = {
    // One person, known in four ways: two numbers that are one, and addresses that tie a third and a fourth to them.
    first: await known(family, {
      name: "Zoé",
      phone: "06 12 34 56 78",
      day: 3,
      consentDay: 3,
      ratings: [5, 4],
      note: "Sans gluten",
    }),
    second: await known(family, {
      name: "Zoé Martin",
      email: "zoe@exemple.fr.",
      phone: "33612345678",
      day: 5,
      consentDay: 9,
      ratings: [3],
      points: 50,
    }),
    third: await known(family, {
      name: "Z. Martin",
      email: "<zoe@exemple.fr>",
      day: 7,
      consentDay: 7,
      ratings: [1],
      note: "Allergie aux noix",
    }),
    fourth: await known(family, {
      email: "zoe@exemple.fr",
      phone: "+32 470 12 34 56",
      day: 8,
      consentDay: 8,
      points: 20,
      ratings: [2],
    }),
    // Two records of one person, of whom only the older one has a consent.
    agreed: await known(family, { phone: "+33 06 98 76 54 32", day: 2, consentDay: 2 }),
    silent: await known(family, { phone: "06 98 76 54 32", day: 4, ratings: [4] }),
    // Nobody's double, but known by another form from now on.
    belgian: await known(family, { phone: "(+32) 470 99 99 99", day: 6 }),
    // No mail reaches this one, and nobody can be asked.
    unreachable: await known(family, { email: "é@b.test", day: 6 }),
    other: await known(lone, {
      email: "ana@exemple.fr",
      phone: "06 12 34 56 78",
      day: 3,
      consentDay: 3,
      ratings: [5],
    }),
    neighbour: await known(elsewhere, { phone: "33612345678", day: 3, ratings: [5] }),
  };
  await sql`
    select private.enqueue_mail('low_rating', 'camille@exemple.fr', ${sql.json({ customer: ids.third ?? "" })})`;
  alone = { ...(await customer(ids.other ?? "")) };
  events = await eventsOf(family);
  await prepareDatabase(address.href);
}, 120_000);

afterAll(async () => {
  await sql.end();
  await admin`drop database ${admin(name)} with (force)`;
  await admin.end();
});

describe("customers who were one person", () => {
  it("are one, with all that each of them did", async () => {
    expect((await rowsOf(family)).map(({ id }) => id)).toEqual([
      ids.agreed,
      ids.first,
      ids.belgian,
      ids.unreachable,
    ]);
    expect(await customer(ids.first ?? "")).toMatchObject({
      name: "Zoé",
      email: "zoe@exemple.fr",
      phone: "06 12 34 56 78",
      email_normalized: "zoe@exemple.fr",
      phone_normalized: "+33612345678",
      review_count: 5,
      rating_sum: 15,
      spin_count: 5,
      redemption_count: 4,
      version: 2,
      created_at: new Date("2026-11-03T12:00:00Z"),
      last_activity_at: new Date("2026-11-08T12:00:00Z"),
    });
    expect(await eventsOf(family)).toEqual(events);
    const [points] = await sql`
      select sum(points)::int as points from public.points_ledger where customer_id = ${ids.first ?? ""}`;
    expect(points).toEqual({ points: 70 });
  });

  it("count as often as they did: the figures are those of the events", async () => {
    const rows = await sql`
      select c.id from public.customers c
      where (c.review_count, c.rating_sum, c.spin_count, c.redemption_count) is distinct from (
        (select count(*)::int from public.pre_spin_reviews r where r.org_id = c.org_id and r.customer_id = c.id),
        (select coalesce(sum(r.rating), 0)::int from public.pre_spin_reviews r where r.org_id = c.org_id and r.customer_id = c.id),
        (select count(*)::int from public.spins s where s.org_id = c.org_id and s.customer_id = c.id),
        (select count(*)::int from public.redemptions r where r.org_id = c.org_id and r.customer_id = c.id and r.status = 'used'))`;
    expect(rows).toEqual([]);
    const [totals] = await sql`select * from private.customer_totals_now(${family.id})`;
    expect(totals).toEqual({ customers: "4", consents: "1", participants: "2" });
  });

  it("consent where each of them did, in the latest words, and nowhere else", async () => {
    expect(await customer(ids.first ?? "")).toMatchObject({
      consent_marketing: true,
      consent_at: new Date("2026-11-09T12:00:00Z"),
      consent_by: "customer",
      consent_version: 1,
      consent_organizer: "Boulangerie",
    });
    const silent = await customer(ids.agreed ?? "");
    expect(silent).toMatchObject({ consent_marketing: false, consent_at: null, consent_by: null });
    expect(silent?.note).toBe(
      "Son accord du 02/11/2026 n'est pas repris : une autre de ses fiches n'en avait pas.\n\n" +
        "Autre fiche de la même personne : Zoé, 06 98 76 54 32.",
    );
  });

  it("keep every note, name, address and number", async () => {
    expect((await customer(ids.first ?? ""))?.note).toBe(
      "Sans gluten\n\n" +
        "Autre fiche de la même personne : Zoé Martin, zoe@exemple.fr., 33612345678.\n\n" +
        "Autre fiche de la même personne : Z. Martin, <zoe@exemple.fr>.\nAllergie aux noix\n\n" +
        "Autre fiche de la même personne : Zoé, zoe@exemple.fr, +32 470 12 34 56.",
    );
  });

  it("are found by the search, and by what refers to them", async () => {
    const found = await sql`
      select id from public.customers where org_id = ${family.id}
        and search_words like private.search_pattern('+33 6 12 34')`;
    expect(found).toEqual([{ id: ids.first }]);
    const [mail] = await sql`select data ->> 'customer' as customer from private.outbox`;
    expect(mail).toEqual({ customer: ids.first });
    const bad = await sql`
      select end_user_email from public.redemptions where org_id = ${family.id} and not private.is_email(end_user_email)`;
    expect(bad).toEqual([]);
  });

  it("leave everybody else as they were", async () => {
    expect(await customer(ids.other ?? "")).toEqual(alone);
    expect(await customer(ids.neighbour ?? "")).toMatchObject({
      phone: "33612345678",
      phone_normalized: "+33612345678",
      spin_count: 1,
      note: null,
      version: 1,
    });
    expect(await customer(ids.belgian ?? "")).toMatchObject({
      phone: "(+32) 470 99 99 99",
      phone_normalized: "+32470999999",
      note: null,
      version: 1,
    });
    expect(await customer(ids.unreachable ?? "")).toMatchObject({ email: "é@b.test", version: 1 });
  });
});
