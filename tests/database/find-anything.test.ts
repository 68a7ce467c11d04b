import { beforeAll, describe, expect, it } from "vitest";
import { SEARCH_MAX_LENGTH } from "#domain/rules/constants.ts";
import { type FoundThing, foundThings } from "#domain/schemas/found-things.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  drawWheel,
  type Organization,
  type Role,
} from "../harness/fixtures.ts";
import { review, spin } from "../harness/journey.ts";
import { readsDuring } from "../harness/table-reads.ts";
import { whole } from "./support/whole.ts";

/** The search through everything: what it finds, for whom, and by which index. */

const database = setUpTestDatabase();
let ours: Organization;
let theirs: Organization;
let code: string;

/** A shop in which every kind of thing bears the same word. */
async function furnish(org: Organization): Promise<string> {
  const { sql } = database;
  const campaign = await createCampaign(sql, {
    orgId: org.id,
    storeId: org.storeId,
    name: "Fête d'Été",
  });
  const rewardId = await createReward(sql, campaign, { name: "Glace d'été" });
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
  await createStore(sql, { orgId: org.id, name: "Kiosque d'été" });
  const { review_id } = await review(sql, {
    campaignId: campaign.id,
    firstName: "Loïc",
    lastName: "Étéocle",
    rating: 5,
  });
  await spin(sql, { campaignId: campaign.id, reviewId: review_id });
  const [won] = await sql<{ code: string }[]>`
    select code from public.redemptions where org_id = ${org.id}`;
  return won?.code ?? "";
}

beforeAll(async () => {
  ours = await createOrganization(database.sql);
  theirs = await createOrganization(database.sql);
  code = await furnish(ours);
  await furnish(theirs);
});

async function find(role: Role, text: string | null, limit = 5): Promise<FoundThing[]> {
  return database.as({ userId: ours.users[role].id }, async (sql) => {
    const [row] = await sql`select public.find_anything(${text}, ${limit}) as found`;
    return whole(foundThings, row?.found);
  });
}

const kinds = (found: readonly FoundThing[]) => found.map(({ kind }) => kind);

describe("the search through everything", () => {
  it("looks for as many letters as its field takes, and leaves out what comes after them", async () => {
    const name = "k".repeat(SEARCH_MAX_LENGTH);
    await createStore(database.sql, { orgId: ours.id, name });
    expect((await find("member", name)).map(({ title }) => title)).toEqual([name]);
    expect((await find("member", `${name}z`)).map(({ title }) => title)).toEqual([name]);
    expect(await find("member", `${name.slice(1)}z`)).toEqual([]);
  });

  it("finds each kind without case and accents, in one's own organisation only", async () => {
    const found = await find("member", "ÉTE");
    expect(found.map(({ kind, title }) => [kind, title])).toEqual([
      ["campaign", "Fête d'Été"],
      ["customer", "Loïc Étéocle"],
      ["reward", "Glace d'été"],
      ["store", "Kiosque d'été"],
    ]);
    const [customer] = await database.sql<{ id: string }[]>`
      select id from public.customers where org_id = ${ours.id}`;
    expect(found[1]?.id).toBe(customer?.id);
  });

  it("finds each kind in every script", async () => {
    const { sql } = database;
    const shop = await createOrganization(sql);
    const campaign = await createCampaign(sql, {
      orgId: shop.id,
      storeId: shop.storeId,
      name: "Лето",
    });
    await createReward(sql, campaign, { name: "Летний чай" });
    await createStore(sql, { orgId: shop.id, name: "ЛЕТНИЙ сад" });
    await review(sql, { campaignId: campaign.id, firstName: "Иван", lastName: "Летов" });
    const search = (text: string) =>
      database.as({ userId: shop.users.owner.id }, async (as) => {
        const [row] = await as`select public.find_anything(${text}) as found`;
        return whole(foundThings, row?.found).map(({ title }) => title);
      });
    expect(await search("лет")).toEqual(["Лето", "Иван Летов", "Летний чай", "ЛЕТНИЙ сад"]);
    expect(await search("зима")).toEqual([]);
    expect(await search("王")).toEqual([]);
  });

  it("finds a code by its beginning as one reads it aloud, with its reward", async () => {
    const spelled = ` ${code.slice(0, 4).toLowerCase()} ${code.slice(4, 8)}`;
    const [found, ...others] = await find("owner", spelled);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      kind: "code",
      title: code,
      detail: "Glace d'été, Loïc Étéocle",
    });
    const [reward] = await database.sql`select id from public.rewards where org_id = ${ours.id}`;
    expect(found?.parent_id).toBe(reward?.id);
    expect(await find("owner", code.slice(4))).toEqual([]);
  });

  it("finds nothing for nothing, for signs, or for what is put away", async () => {
    for (const text of [null, "", "  ", "%", "_'\\", "introuvable"]) {
      expect(await find("owner", text)).toEqual([]);
    }
    await database.sql`
      update public.rewards set archived_at = now(), active = false where org_id = ${ours.id}`;
    expect(kinds(await find("owner", "glace"))).toEqual([]);
    await database.sql`
      update public.rewards set archived_at = null, active = true where org_id = ${ours.id}`;
  });

  it("asks customers and codes for three characters, and the rest for one", async () => {
    expect(kinds(await find("owner", "te"))).not.toContain("customer");
    expect(kinds(await find("owner", code.slice(0, 2)))).not.toContain("code");
    expect(kinds(await find("owner", "k"))).toContain("store");
  });

  it("shows as many of a kind as are asked for, ten at most", async () => {
    const { sql } = database;
    for (let number = 1; number <= 11; number += 1) {
      await createStore(sql, { orgId: ours.id, name: `Stand ${number}` });
    }
    expect(await find("owner", "stand", 3)).toHaveLength(3);
    expect(await find("owner", "stand", 1000)).toHaveLength(10);
    expect(await find("owner", "stand", -1)).toHaveLength(1);
  });

  it("puts first what is in use, then what is newest", async () => {
    const { sql } = database;
    const shop = await createOrganization(sql);
    const place = { orgId: shop.id, storeId: shop.storeId };
    const first = await createCampaign(sql, { ...place, name: "Tri ancien" });
    await createCampaign(sql, { ...place, name: "Tri arrêté", active: false });
    await createCampaign(sql, { ...place, name: "Tri nouveau" });
    for (const name of ["Tri : lot ancien", "Tri : lot arrêté", "Tri : lot nouveau"]) {
      await createReward(sql, first, { name, active: !name.endsWith("arrêté") });
    }
    for (const name of ["Tri un", "Tri deux"]) await createStore(sql, { orgId: shop.id, name });
    const found = await database.as({ userId: shop.users.owner.id }, async (as) => {
      const [row] = await as`select public.find_anything('tri') as found`;
      return whole(foundThings, row?.found).map(({ title }) => title);
    });
    expect(found).toEqual([
      ...["Tri nouveau", "Tri ancien", "Tri arrêté"],
      ...["Tri : lot nouveau", "Tri : lot ancien", "Tri : lot arrêté"],
      ...["Tri deux", "Tri un"],
    ]);
  });

  it("shows a role only what its permissions name, and a cashier nothing", async () => {
    expect(await find("cashier", "ete")).toEqual([]);
    expect(await find("cashier", code)).toEqual([]);
    const { sql } = database;
    const seen: string[][] = [];
    for (const permission of ["campaigns", "customers", "rewards", "stores"]) {
      await sql`delete from public.role_permissions
        where role = 'member' and permission = ${`${permission}.read`}`;
      seen.push(kinds(await find("member", "ete")));
      await sql`insert into public.role_permissions (role, permission)
        values ('member', ${`${permission}.read`})`;
    }
    expect(seen).toEqual([
      ["customer", "reward", "store"],
      ["campaign", "reward", "store"],
      ["campaign", "customer", "store"],
      ["campaign", "customer", "reward"],
    ]);
  });
});

it("reads few of 20,000 customers, by the indexes of the lists, whatever the word", async () => {
  const big = await createOrganization(database.sql);
  await database.sql.begin(async (sql) => {
    // Without the triggers, which count every one of them.
    await sql`set local session_replication_role = replica`;
    await sql`
      insert into public.customers (org_id, store_id, first_name, last_name, name, email, created_at)
      select ${big.id}, ${big.storeId}, 'Anne', 'Client ' || n, 'Anne Client ' || n, 'client' || n || '@exemple.fr',
        now() - n * interval '1 minute'
      from generate_series(1, 20000) as n`;
  });
  await database.sql`vacuum analyze public.customers`;
  const readFor = async (text: string) =>
    database.as({ userId: big.users.owner.id }, async (sql) => {
      const reads = await readsDuring(
        sql,
        ["customers", "redemptions"],
        () => sql`select public.find_anything(${text})`,
      );
      expect(reads).toHaveLength(2);
      return reads.reduce((sum, { rows }) => sum + rows, 0);
    });
  // A frequent word, a rare one, one that nobody has, a code, letters too few, other scripts.
  for (const text of ["client", "client-19997", "introuvable", "WIN-ABC", "an", "Иван", "王"]) {
    expect(await readFor(text), text).toBeLessThan(100);
  }
});
