import postgres, { type ISql } from "postgres";
import { beforeAll, describe, expect, it } from "vitest";
import { setUpTestDatabase } from "../../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createUser,
  daysFromNow,
  type Organization,
} from "../../harness/fixtures.ts";
import { untilWaiting } from "../support/waiting.ts";

/** Addresses of campaigns, and how many campaigns and users a plan allows. */

const database = setUpTestDatabase();
let ours: Organization;
let theirs: Organization;

beforeAll(async () => {
  ours = await createOrganization(database.sql);
  theirs = await createOrganization(database.sql);
});

/** Adds a campaign the way the back-office does; answers its identifier and its slug. */
async function add(
  { id, storeId }: Organization,
  { name, slug = null, active = true }: { name: string; slug?: string | null; active?: boolean },
  sql: ISql = database.sql,
): Promise<{ id: string; slug: string }> {
  const [row] = await sql<{ id: string; slug: string }[]>`
    insert into public.campaigns (org_id, store_id, name, slug, active)
    values (${id}, ${storeId}, ${name}, ${slug}, ${active}) returning id, slug`;
  if (row === undefined) throw new Error("No campaign was inserted.");
  return row;
}

async function rename(campaignId: string, slug: string): Promise<string | undefined> {
  const [row] = await database.sql<{ slug: string }[]>`
    update public.campaigns set slug = ${slug} where id = ${campaignId} returning slug`;
  return row?.slug;
}

/** Outcome of a statement: its error code with constraint or detail, or "done". */
async function outcomeOf(statement: Promise<unknown>): Promise<string> {
  try {
    await statement;
    return "done";
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw error;
    return `${error.code} ${error.constraint_name ?? error.detail ?? ""}`;
  }
}

describe("a slug", () => {
  it("is made from the name", async () => {
    expect((await add(ours, { name: "  Été à l'Œuf d'Or !" })).slug).toBe("ete-a-l-oeuf-d-or");
    expect((await add(ours, { name: "東京" })).slug).toBe("campagne");
  });

  it("gets a suffix when another merchant has it", async () => {
    const third = await createOrganization(database.sql);
    expect((await add(ours, { name: "Rentrée" })).slug).toBe("rentree");
    expect((await add(theirs, { name: "Rentrée" })).slug).toBe("rentree-2");
    expect((await add(third, { name: "Autre nom", slug: "rentree" })).slug).toBe("rentree-3");
  });

  it("gets one with which no campaign of one's own stands either", async () => {
    await add(theirs, { name: "Marché" });
    await add(ours, { name: "Deux", slug: "marche-2" });
    expect((await add(ours, { name: "Marché" })).slug).toBe("marche-3");
  });

  it("stays within its length with a suffix", async () => {
    const name = "a".repeat(110);
    const first = await add(ours, { name });
    const second = await add(theirs, { name });
    expect(first.slug).toBe("a".repeat(70));
    expect(second.slug).toBe(`${"a".repeat(70)}-2`);
  });

  it("of one's own is refused: a second campaign of that name is a mistake", async () => {
    await add(ours, { name: "Roue de Pâques" });
    expect(await outcomeOf(add(ours, { name: "roue de pâques " }))).toMatch(/^23505 campaigns_/);
    expect(await outcomeOf(add(ours, { name: "Autre", slug: "roue-de-paques" }))).toBe(
      "23505 campaigns_slug_key",
    );
  });

  it("is one campaign's when two merchants take it at the same instant", async () => {
    const name = "Même instant";
    const second = await database.sql.begin(async (sql) => {
      const first = await add(ours, { name }, sql);
      expect(first.slug).toBe("meme-instant");
      const waiting = add(theirs, { name });
      await untilWaiting(database.sql);
      return { waiting };
    });
    expect((await second.waiting).slug).toBe("meme-instant-2");
  });

  it("with a suffix is not what somebody else just took as it is", async () => {
    const third = await createOrganization(database.sql);
    await add(ours, { name: "Braderie" });
    const second = await database.sql.begin(async (sql) => {
      await add(theirs, { name: "Une autre braderie", slug: "braderie-2" }, sql);
      const waiting = add(third, { name: "Braderie" });
      await untilWaiting(database.sql);
      return { waiting };
    });
    expect((await second.waiting).slug).toBe("braderie-3");
  });

  it("of another shape is refused", async () => {
    for (const slug of ["Majuscule", "deux--traits", "-bord", "espace ici", "é"]) {
      expect(await outcomeOf(add(ours, { name: slug, slug }))).toBe("23514 campaigns_slug_check");
    }
  });
});

describe("a renamed slug", () => {
  async function redirects(campaignId: string): Promise<string[]> {
    const rows = await database.sql<{ slug: string }[]>`
      select slug from public.campaign_slug_redirects where campaign_id = ${campaignId} order by slug`;
    return rows.map(({ slug }) => slug);
  }

  it("leaves 50 redirects at most, of a campaign and of an organisation: nobody takes thousands of names", async () => {
    const { id } = await add(ours, { name: "Beaucoup" });
    const shop = await createOrganization(database.sql);
    for (let n = 1; n <= 52; n++) {
      await rename(id, `beaucoup-${n}`);
      await database.sql`update public.organizations set slug = ${`enseigne-${n}`} where id = ${shop.id}`;
    }
    const kept = await redirects(id);
    expect(kept).toHaveLength(50);
    expect(kept).toEqual(expect.arrayContaining(["beaucoup-2", "beaucoup-51"]));
    const former = await database.sql<{ slug: string }[]>`
      select slug from public.organization_slug_redirects where org_id = ${shop.id}`;
    expect(former).toHaveLength(50);
    expect(former.map(({ slug }) => slug)).toEqual(
      expect.arrayContaining(["enseigne-2", "enseigne-51"]),
    );
    expect((await add(theirs, { name: "Beaucoup" })).slug).toBe("beaucoup");
  });

  it("leaves a redirect each time, and takes it back when the campaign takes the slug back", async () => {
    const { id } = await add(ours, { name: "Premier" });
    expect(await rename(id, "deuxieme")).toBe("deuxieme");
    expect(await rename(id, "troisieme")).toBe("troisieme");
    expect(await redirects(id)).toEqual(["deuxieme", "premier"]);
    expect(await rename(id, "premier")).toBe("premier");
    expect(await redirects(id)).toEqual(["deuxieme", "troisieme"]);
    expect(await rename(id, "deuxieme")).toBe("deuxieme");
    expect(await redirects(id)).toEqual(["premier", "troisieme"]);
  });

  it("belongs to the codes that are printed with it: nobody else's campaign gets it", async () => {
    const { id } = await add(ours, { name: "Imprimé" });
    await rename(id, "imprime-nouveau");
    expect((await add(theirs, { name: "Imprimé" })).slug).toBe("imprime-2");
    expect((await add(ours, { name: "Imprimé encore", slug: "imprime" })).slug).toBe("imprime-3");
    expect(await rename(id, "imprime")).toBe("imprime");
  });

  it("and that of a deleted campaign go to no other organisation, but to their own again", async () => {
    const { id } = await add(ours, { name: "Effacée" });
    await rename(id, "effacee-neuve");
    await database.sql`delete from public.campaigns where id = ${id}`;
    expect((await add(theirs, { name: "Effacée" })).slug).toBe("effacee-2");
    expect((await add(theirs, { name: "Effacée neuve" })).slug).toBe("effacee-neuve-2");
    const again = await add(ours, { name: "Effacée" });
    expect(again.slug).toBe("effacee");
    expect(await rename(again.id, "effacee-neuve")).toBe("effacee-neuve");
    // Deleted once more, they are still one's own.
    await database.sql`delete from public.campaigns where id = ${again.id}`;
    expect((await add(ours, { name: "Effacée" })).slug).toBe("effacee");
    expect((await add(theirs, { name: "Troisième", slug: "effacee-neuve" })).slug).toBe(
      "effacee-neuve-3",
    );
  });

  it("gets a suffix when another merchant has the new one", async () => {
    await add(theirs, { name: "Convoité" });
    const { id } = await add(ours, { name: "Modeste" });
    expect(await rename(id, "convoite")).toBe("convoite-2");
    expect(await redirects(id)).toEqual(["modeste"]);
  });

  it("stays what it was when something else of the campaign changes", async () => {
    const { id, slug } = await add(ours, { name: "Stable" });
    await database.sql`update public.campaigns set name = 'Tout autre', active = false where id = ${id}`;
    const [row] = await database.sql`select slug from public.campaigns where id = ${id}`;
    expect(row?.slug).toBe(slug);
    expect(await redirects(id)).toEqual([]);
  });
});

describe("the plan limits active campaigns", () => {
  it.each([
    ["free_trial", 1],
    ["basic", 3],
  ] as const)("%s: to %i", async (plan, limit) => {
    const organization = await createOrganization(database.sql, { plan });
    const active = [];
    for (let n = 1; n <= limit; n++) active.push(await add(organization, { name: `Numéro ${n}` }));
    const refusal = `TV001 ${limit}`;
    expect(await outcomeOf(add(organization, { name: "De trop" }))).toBe(refusal);

    const resting = await add(organization, { name: "En réserve", active: false });
    const activate = () =>
      database.sql`update public.campaigns set active = true where id = ${resting.id}`;
    expect(await outcomeOf(activate())).toBe(refusal);
    await database.sql`update public.campaigns set active = false where id = ${active[0]?.id ?? ""}`;
    expect(await outcomeOf(activate())).toBe("done");
    // An active campaign is changed freely at the limit.
    expect(
      await outcomeOf(
        database.sql`update public.campaigns set active = true, name = 'Nouveau nom' where id = ${resting.id}`,
      ),
    ).toBe("done");
  });

  it("pro: to no number", async () => {
    const organization = await createOrganization(database.sql, { plan: "pro" });
    for (let n = 1; n <= 12; n++) await add(organization, { name: `Numéro ${n}` });
  });

  it("to 1 where there is no subscription", async () => {
    const [row] = await database.sql<{ id: string }[]>`
      insert into public.organizations (name, slug) values ('Sans plan', 'sans-plan') returning id`;
    const id = row?.id ?? "";
    const [store] = await database.sql<{ id: string }[]>`
      insert into public.stores (org_id, name, slug, address) values (${id}, 'Ici', 'ici', 'Rue') returning id`;
    const organization = { ...ours, id, storeId: store?.id ?? "" };
    await add(organization, { name: "Une" });
    expect(await outcomeOf(add(organization, { name: "Deux" }))).toBe("TV001 1");
  });

  it("also when many are activated at once", async () => {
    const organization = await createOrganization(database.sql, { plan: "basic" });
    const crowd = postgres(database.url, { max: 12, onnotice: () => {} });
    const names = Array.from({ length: 12 }, (_, n) => `Ensemble ${n}`);
    const outcomes = await Promise.all(
      names.map((name) => outcomeOf(add(organization, { name }, crowd))),
    );
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === "TV001 3")).toHaveLength(9);

    await database.sql`update public.campaigns set active = false where org_id = ${organization.id}`;
    for (let n = 0; n < 9; n++) await add(organization, { name: `Réserve ${n}`, active: false });
    const resting = await database.sql<{ id: string }[]>`
      select id from public.campaigns where org_id = ${organization.id}`;
    const activated = await Promise.all(
      resting.map(({ id }) =>
        outcomeOf(crowd`update public.campaigns set active = true where id = ${id}`),
      ),
    );
    expect(activated.filter((outcome) => outcome === "done")).toHaveLength(3);
    await crowd.end();
  });
});

describe("the plan limits users", () => {
  async function emptyOrganization(plan: string): Promise<string> {
    const trialEnd = plan === "free_trial" ? daysFromNow(14) : null;
    const [row] = await database.sql<{ id: string }[]>`
      insert into public.organizations (name, slug)
      values ('Équipe', 'equipe-' || gen_random_uuid()) returning id`;
    const id = row?.id ?? "";
    await database.sql`
      insert into public.subscriptions (org_id, plan, trial_end) values (${id}, ${plan}, ${trialEnd})`;
    return id;
  }

  async function join(orgId: string, sql: ISql = database.sql): Promise<string> {
    const { id } = await createUser(sql);
    return outcomeOf(
      sql`insert into public.organization_members (org_id, user_id, role) values (${orgId}, ${id}, 'cashier')`,
    );
  }

  it.each([
    ["free_trial", 2],
    ["basic", 5],
  ])("%s: to %i", async (plan, limit) => {
    const orgId = await emptyOrganization(plan);
    for (let n = 0; n < limit; n++) expect(await join(orgId)).toBe("done");
    expect(await join(orgId)).toBe(`TV002 ${limit}`);
    await database.sql`
      delete from public.organization_members where user_id = (
        select user_id from public.organization_members where org_id = ${orgId} limit 1)`;
    expect(await join(orgId)).toBe("done");
  });

  it("pro: to no number", async () => {
    const orgId = await emptyOrganization("pro");
    for (let n = 0; n < 8; n++) expect(await join(orgId)).toBe("done");
  });

  it("also when many join at once", async () => {
    const orgId = await emptyOrganization("basic");
    const crowd = postgres(database.url, { max: 12, onnotice: () => {} });
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => join(orgId, crowd)));
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === "TV002 5")).toHaveLength(7);
    await crowd.end();
  });
});

it("the rules version follows what can be won, not the name of the campaign", async () => {
  const { sql } = database;
  const { id: campaignId } = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
  const version = async () => {
    const [row] = await sql<{ version: number }[]>`
      select rules_version as version from public.campaigns where id = ${campaignId}`;
    return row?.version ?? 0;
  };
  const changed = async (run: () => Promise<unknown>) => {
    const before = await version();
    await run();
    return (await version()) !== before;
  };
  const [reward] = await sql<{ id: string }[]>`
    insert into public.rewards (org_id, campaign_id, name, type, reward_type)
    values (${ours.id}, ${campaignId}, 'Café', 'gift', 'gift') returning id`;
  const rewardId = reward?.id ?? "";
  const segment = () => sql`
    insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight)
    values (${ours.id}, ${campaignId}, ${rewardId}, 'Un café', '#8B5CF6', 100)`;
  const changes: [string, () => Promise<unknown>, boolean][] = [
    ["a segment is drawn", segment, true],
    [
      "a segment changes",
      () => sql`update public.wheel_segments set label = 'Thé' where reward_id = ${rewardId}`,
      true,
    ],
    [
      "the segments go",
      () => sql`delete from public.wheel_segments where reward_id = ${rewardId}`,
      true,
    ],
    [
      "a reward changes",
      () => sql`update public.rewards set max_per_user = 3 where id = ${rewardId}`,
      true,
    ],
    [
      "a reward is stopped",
      () => sql`update public.rewards set active = false where id = ${rewardId}`,
      true,
    ],
    [
      "the interval changes",
      () => sql`update public.campaigns set play_interval_days = 7 where id = ${campaignId}`,
      true,
    ],
    [
      "an end is set",
      () =>
        sql`update public.campaigns set ends_at = now() + interval '1 day' where id = ${campaignId}`,
      true,
    ],
    [
      "there are so many",
      () => sql`update public.rewards set active = true, stock = 5 where id = ${rewardId}`,
      true,
    ],
    [
      "the campaign is renamed",
      () => sql`update public.campaigns set name = 'Rebaptisée' where id = ${campaignId}`,
      false,
    ],
  ];
  for (const [name, run, expected] of changes)
    expect([name, await changed(run)]).toEqual([name, expected]);
});
