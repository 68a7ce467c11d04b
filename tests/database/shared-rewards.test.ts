import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { beforeEach, describe, expect, it } from "vitest";
import { dashboard } from "#domain/schemas/back-office.ts";
import { type CampaignEditor, campaignEditor } from "#domain/schemas/campaigns.ts";
import { rewardList } from "#domain/schemas/rewards.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { spin } from "../harness/journey.ts";

/** A reward that stands on the wheels of several campaigns: one stock, whatever happens at once. */

const database = setUpTestDatabase();
let ours: Organization;
let home: Campaign;
let other: Campaign;
let gift: string;

beforeEach(async () => {
  const { sql } = database;
  ours = await createOrganization(sql);
  const place = { orgId: ours.id, storeId: ours.storeId, playIntervalDays: 0 };
  home = await createCampaign(sql, { ...place, name: "Maison" });
  other = await createCampaign(sql, { ...place, name: "Ailleurs" });
  gift = await createReward(sql, home, { name: "Café", stock: 30 });
  await drawWheel(sql, home, [{ weight: 100, rewardId: gift }]);
});

type Member = keyof Organization["users"];

async function ask(statement: string, values: postgres.ParameterOrJSON<never>[], by: Member) {
  return database.as({ userId: ours.users[by].id }, async (sql) => {
    const [row] = await sql.unsafe<{ answer: unknown }[]>(statement, values);
    return row?.answer;
  });
}

async function editorOf(id: string, by: Member = "member"): Promise<NonNullable<CampaignEditor>> {
  const found = campaignEditor.parse(
    await ask("select public.campaign_editor($1) as answer", [id], by),
  );
  if (!found) throw new Error("no such campaign");
  return found;
}

/** Draws a wheel of one prize and one loss through the editor. */
async function place(campaignId: string, rewardId: string | null, weight = 40) {
  const { campaign } = await editorOf(campaignId);
  const segments = [
    { id: null, reward_id: null, label: "Perdu", color: "#6B7280", weight: 100 - weight },
    { id: null, reward_id: rewardId, label: "Lot", color: "#8B5CF6", weight },
  ];
  return ask(
    `select public.save_campaign($1, $2, $3, $4, $5, $6, 0, p_segments => $7::text::jsonb) as answer`,
    [
      campaignId,
      campaign.version,
      campaign.name,
      campaign.slug,
      campaign.store_id,
      campaign.active,
      JSON.stringify(segments),
    ],
    "member",
  );
}

async function rewards() {
  return rewardList.parse(await ask("select public.reward_list($1) as answer", [ours.id], "member"))
    .items;
}

const codeOf = (run: () => Promise<unknown>) =>
  run().then(
    () => "fine",
    (error: unknown) => {
      if (!(error instanceof postgres.PostgresError)) throw error;
      return error.code;
    },
  );

async function stockOf(id: string): Promise<number | undefined> {
  const [row] = await database.sql<{ stock: number }[]>`
    select stock from public.rewards where id = ${id}`;
  return row?.stock;
}

/** Prizes in the rules in force: number, and whether it is shared. */
async function rulesOf(id: string): Promise<unknown> {
  const [row] = await database.sql<{ prizes: { number: number; shared?: boolean }[] }[]>`
    select r.content -> 'prizes' as prizes from public.campaigns c
    join public.campaign_rules r on r.campaign_id = c.id and r.version = c.rules_version
    where c.id = ${id}`;
  return row?.prizes.map(({ number, shared = false }) => [number, shared]);
}

describe("a reward of another campaign", () => {
  it("is offered by the editor, and stands on its wheel once it is saved", async () => {
    expect((await editorOf(other.id)).rewards).toMatchObject([{ id: gift, home: "Maison" }]);
    expect((await editorOf(home.id)).rewards).toMatchObject([{ id: gift, home: null }]);
    await place(other.id, gift);
    const { wheel, segments } = await editorOf(other.id);
    expect([wheel, segments.map(({ reward_id }) => reward_id)]).toEqual(["drawn", [null, gift]]);
    expect(await rewards()).toMatchObject([
      {
        id: gift,
        campaign_name: "Maison",
        shared_with: [{ id: other.id, name: "Ailleurs" }],
        segments: 2,
      },
    ]);
  });

  it("is enough for the dashboard not to call its campaign empty, as long as it is in use", async () => {
    const empty = async () =>
      dashboard.parse(await ask("select public.dashboard($1) as answer", [ours.id], "member")).todo
        .empty_campaign?.id;
    expect(await empty()).toBe(other.id);
    await place(other.id, gift);
    expect(await empty()).toBeUndefined();
    await database.sql`update public.rewards set active = false where id = ${gift}`;
    await database.sql`update public.campaigns set active = false where id = ${home.id}`;
    expect(await empty()).toBe(other.id);
  });

  it("is refused where it is another merchant's, and offered to nobody who reads no rewards", async () => {
    const theirs = await createOrganization(database.sql);
    const foreign = await createReward(
      database.sql,
      await createCampaign(database.sql, { orgId: theirs.id, storeId: theirs.storeId }),
    );
    expect(await codeOf(() => place(other.id, foreign))).toBe("TV065");
    expect(
      await codeOf(
        () => database.sql`
          insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight)
          values (${ours.id}, ${other.id}, ${foreign}, 'Lot', '#8B5CF6', 100)`,
      ),
    ).toBe("23503");
    await database.sql`
      delete from public.role_permissions where role = 'member' and permission = 'rewards.read'`;
    try {
      expect((await editorOf(other.id)).rewards).toEqual([]);
    } finally {
      await database.sql`
        insert into public.role_permissions (role, permission) values ('member', 'rewards.read')`;
    }
  });

  it("never goes below zero when two campaigns give it away at once, and each counts its own", async () => {
    await place(other.id, gift, 100);
    const crowd = postgres(database.url, { max: 20, onnotice: () => {} });
    try {
      const spins = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          spin(crowd, { campaignId: n % 2 === 0 ? home.id : other.id }),
        ),
      );
      const won = spins.filter(({ body }) => body?.includes('"type" : "gift"'));
      expect(won).toHaveLength(30);
    } finally {
      await crowd.end();
    }
    expect(await stockOf(gift)).toBe(0);
    const codes = await database.sql<{ campaign_id: string; count: number }[]>`
      select campaign_id, count(*)::int as count from public.redemptions
      where org_id = ${ours.id} group by campaign_id`;
    const figures = await database.sql<{ campaign_id: string; wins: number }[]>`
      select campaign_id, sum(wins)::int as wins from private.campaign_figures_now(${ours.id})
      group by campaign_id`;
    expect(codes.reduce((sum, { count }) => sum + count, 0)).toBe(30);
    for (const { campaign_id, count } of codes) {
      expect(figures.find((one) => one.campaign_id === campaign_id)?.wins).toBe(count);
    }
  });

  it("stands in the rules of each as shared, from the first to the last", async () => {
    expect(await rulesOf(home.id)).toEqual([[30, false]]);
    await place(other.id, gift);
    expect([await rulesOf(home.id), await rulesOf(other.id)]).toEqual([[[30, true]], [[30, true]]]);
    await database.sql`update public.rewards set stock = 50 where id = ${gift}`;
    expect([await rulesOf(home.id), await rulesOf(other.id)]).toEqual([[[50, true]], [[50, true]]]);
    const own = await createReward(database.sql, other, { stock: 7 });
    await place(other.id, own);
    expect([await rulesOf(home.id), await rulesOf(other.id)]).toEqual([
      [[50, false]],
      [[7, false]],
    ]);
  });

  it("does not make two who save at once wait for each other", async () => {
    const theirs = await createReward(database.sql, other, { stock: 5 });
    for (let round = 0; round < 10; round += 1) {
      const turn = round % 2 === 0;
      const outcomes = await Promise.all([
        codeOf(() => place(home.id, turn ? theirs : gift)),
        codeOf(() => place(other.id, turn ? gift : theirs)),
        codeOf(
          () =>
            database.sql`update public.rewards set name = ${`Café ${round}`} where id = ${gift}`,
        ),
      ]);
      expect(outcomes).toEqual(["fine", "fine", "fine"]);
    }
  });
});

describe("a shared reward", () => {
  it("stays where it is at home while its wheel has it", async () => {
    expect(
      await codeOf(
        () => database.sql`update public.rewards set campaign_id = ${other.id} where id = ${gift}`,
      ),
    ).toBe("23503");
  });

  it("is archived rather than deleted, and stays when its first campaign is deleted", async () => {
    await place(other.id, gift);
    expect(
      await codeOf(() => ask("select public.remove_reward($1, false) as answer", [gift], "owner")),
    ).toBe("TV040");
    await ask("select public.remove_campaign($1, false) as answer", [home.id], "owner");
    expect(await rewards()).toMatchObject([
      { id: gift, campaign_name: "Ailleurs", shared_with: [], segments: 1 },
    ]);
    expect(await rulesOf(other.id)).toEqual([[30, false]]);
  });

  it("was won elsewhere: its first campaign, in which nobody played, can still be deleted", async () => {
    await place(other.id, gift, 100);
    await spin(database.sql, { campaignId: other.id });
    await ask("select public.remove_campaign($1, false) as answer", [home.id], "owner");
    expect(await stockOf(gift)).toBe(29);
  });
});

describe("a new campaign with the rewards of another", () => {
  const share = (source: string) =>
    ask(
      `select public.start_campaign($1, $2, 'Deuxième', null, true, null, p_source_id => $3, p_is_shared => true)
        ->> 'id' as answer`,
      [randomUUID(), ours.storeId, source],
      "member",
    );

  it("shares them, drawn or not, and copies none", async () => {
    const undrawn = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
    const [one, two] = [
      await createReward(database.sql, undrawn, { name: "x".repeat(90) }),
      await createReward(database.sql, undrawn),
    ];
    const count = (await rewards()).length;
    const first = String(await share(home.id));
    expect((await editorOf(first)).segments).toMatchObject([{ reward_id: gift, weight: 100 }]);
    await database.sql`update public.campaigns set name = 'Troisième' where id = ${first}`;
    const second = String(await share(undrawn.id));
    expect((await editorOf(second)).segments).toMatchObject([
      { reward_id: one, weight: 50 },
      { reward_id: two, weight: 50 },
      { reward_id: null, weight: 0 },
    ]);
    expect(await rewards()).toHaveLength(count);
    await spin(database.sql, { campaignId: first });
    expect(await stockOf(gift)).toBe(29);
  });
});

describe("a copy of a campaign on whose wheel a shared reward stands", () => {
  const prizes = async (id: string) => {
    const { segments } = await editorOf(id);
    return segments.map(({ label, weight, reward_id }) => ({
      label,
      weight,
      name: reward_id === null ? null : nameOf.get(reward_id),
    }));
  };
  const nameOf = new Map<string, string>();
  const know = async () => {
    for (const { id, name } of await rewards()) nameOf.set(id, name);
  };

  it.each([
    ["duplicated", "select public.duplicate_campaign($1, 'Copie') ->> 'id' as answer"],
    [
      "started anew",
      `select public.start_campaign(gen_random_uuid(), (select store_id from public.campaigns where id = $1), 'Copie', null,
        true, null, p_source_id => $1) ->> 'id' as answer`,
    ],
  ])("wins that prize as well, %s", async (_, statement) => {
    await place(other.id, gift);
    await know();
    const before = await prizes(other.id);
    expect(before.map(({ name }) => name)).toEqual([null, "Café"]);
    const copy = String(await ask(statement, [other.id], "member"));
    await know();
    expect(await prizes(copy)).toEqual(before);
    // A reward of its own, with the stock that is left.
    const [, { reward_id = null } = {}] = (await editorOf(copy)).segments;
    expect(reward_id).not.toBe(gift);
    expect(await stockOf(reward_id ?? "")).toBe(30);
    expect(await stockOf(gift)).toBe(30);
  });
});
