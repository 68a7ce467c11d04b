import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TRADES } from "#domain/rules/trade-wheels.ts";
import { startedCampaign } from "#domain/schemas/campaigns.ts";
import {
  proposalFor,
  toSegments,
} from "../../web/features/campaign-editor/starter/starter.schema.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { createCampaign, createOrganization, type Organization } from "../harness/fixtures.ts";
import { spin } from "../harness/journey.ts";
import { everythingStored } from "./support/stored.ts";

/** A campaign made with its prizes and its wheel: all of it or nothing, and once. */

let database: TestDatabase;
let ours: Organization;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ours = await createOrganization(database.sql);
});

const CAFE = toSegments(proposalFor("cafe"));

type Start = {
  id: string;
  storeId: string;
  name: string;
  slug: string | null;
  active: boolean;
  segments: unknown;
};

const start = (change: Partial<Start> = {}, role: keyof Organization["users"] = "member") => {
  const { id, storeId, name, slug, active, segments } = {
    id: randomUUID(),
    storeId: ours.storeId,
    name: "La roue",
    slug: null,
    active: true,
    segments: CAFE,
    ...change,
  };
  return database.as({ userId: ours.users[role].id }, async (sql) => {
    const [row] = await sql`
      select public.start_campaign(${id}, ${storeId}, ${name}, ${slug}, ${active},
        ${JSON.stringify(segments)}::text::jsonb) as answer`;
    return startedCampaign.parse(row?.answer).id;
  });
};

/** SQLSTATE with which something fails, with its detail; it must leave everything as it was. */
async function refusal(run: () => Promise<unknown>): Promise<string> {
  const before = await everythingStored(database.sql);
  const code = await run().then(
    () => "fine",
    (error: unknown) => {
      if (!(error instanceof postgres.PostgresError)) throw error;
      return error.code;
    },
  );
  expect(await everythingStored(database.sql)).toEqual(before);
  return code;
}

const slugOf = async (id: string) => {
  const [row] = await database.sql<{ slug: string }[]>`
    select slug from public.campaigns where id = ${id}`;
  return row?.slug;
};

describe("a campaign that is started", () => {
  it.each(TRADES)("takes what is proposed to « %s » as it is", async (trade) => {
    const proposal = toSegments(proposalFor(trade));
    const id = await start({ segments: proposal });
    const rows = await database.sql`
      select w.label, w.color, w.weight::int, r.name, r.type, (r.value * 100)::int as cents, r.stock, r.active
      from public.wheel_segments w left join public.rewards r on r.id = w.reward_id
      where w.campaign_id = ${id} order by w.position`;
    expect([...rows]).toEqual(
      proposal.map(({ label, color, weight, prize }) => ({
        label,
        color,
        weight,
        name: prize ? label : null,
        type: prize?.type ?? null,
        cents: prize?.cost_cents ?? null,
        stock: prize ? -1 : null,
        active: prize ? true : null,
      })),
    );
  });

  it("can be played at once, with its prizes in the order of the wheel", async () => {
    const id = await start({
      segments: [
        { ...CAFE[0], weight: 100 },
        { ...CAFE[1], weight: 0 },
      ],
    });
    const names = await database.sql<{ name: string }[]>`
      select name from public.rewards where campaign_id = ${id} order by created_at`;
    expect(names.map(({ name }) => name)).toEqual(["Café offert", "Viennoiserie offerte"]);
    const { outcome, body } = await spin(database.sql, { campaignId: id, name: "Léa Roy" });
    expect(outcome).toBe("spun");
    expect(JSON.parse(body ?? "{}").reward).toMatchObject({ name: "Café offert" });
  });

  it("is made once, however often it is asked for", async () => {
    const id = randomUUID();
    await Promise.all([start({ id }), start({ id })]);
    const before = await everythingStored(database.sql);
    expect(await start({ id, name: "Un autre nom" }, "owner")).toBe(id);
    expect(await everythingStored(database.sql)).toEqual(before);
  });

  it("makes its address by itself, also where it is taken", async () => {
    const mark = randomUUID();
    const base = `etal-${mark}`;
    const theirs = await createOrganization(database.sql);
    await createCampaign(database.sql, {
      orgId: theirs.id,
      storeId: theirs.storeId,
      slug: base,
    });
    expect(await slugOf(await start({ name: `Été ${mark}` }))).toBe(`ete-${mark}`);
    expect(await slugOf(await start({ name: "Une", slug: base }))).toBe(`${base}-2`);
    // Their own is taken as well, which nobody has to be asked about.
    expect(await slugOf(await start({ name: "Deux", slug: `${base}-2` }))).toBe(`${base}-2-2`);
  });
});

describe("a refused start", () => {
  it("makes nothing of a wheel that is not whole", async () => {
    const [first, ...others] = CAFE;
    const losing = CAFE.filter(({ prize }) => prize === null);
    const cases: [unknown, string][] = [
      [[], "TV068"],
      [null, "TV064"],
      [{ label: "Café" }, "TV064"],
      [others, "TV063"],
      [[{ ...losing[0], weight: 100 }], "TV068"],
      [
        [
          { ...first, weight: 0 },
          { ...losing[0], weight: 100 },
        ],
        "TV068",
      ],
      [[{ ...first, label: " " }, ...others], "23514"],
      [[{ ...first, label: "x".repeat(61) }, ...others], "23514"],
      [[{ ...first, color: "red" }, ...others], "23514"],
      [[{ ...first, prize: { type: "gift", cost_cents: -1 } }, ...others], "23514"],
      [[{ ...first, prize: { type: "car", cost_cents: 1 } }, ...others], "23514"],
    ];
    for (const [segments, code] of cases) {
      expect(await refusal(() => start({ segments })), JSON.stringify(segments)).toBe(code);
    }
  });

  it("makes nothing for whoever may not, of another's store, or beyond the plan", async () => {
    const theirs = await createOrganization(database.sql);
    const { id: taken } = await createCampaign(database.sql, {
      orgId: theirs.id,
      storeId: theirs.storeId,
    });
    expect(await refusal(() => start({}, "cashier"))).toBe("42501");
    expect(await refusal(() => start({ storeId: theirs.storeId }))).toBe("42501");
    expect(await refusal(() => start({ id: taken }))).toBe("42501");
    await start({ name: "La première" });
    expect(await refusal(() => start({ name: " la PREMIÈRE " }))).toBe("23505");
    await database.sql`
      update public.subscriptions set plan = 'free_trial', trial_end = now() + interval '9 days'
      where org_id = ${ours.id}`;
    expect(await refusal(() => start({ name: "La deuxième" }))).toBe("TV001");
    await start({ name: "La deuxième", active: false });
    await database.sql`update public.stores set archived_at = now() where id = ${ours.storeId}`;
    expect(await refusal(() => start({ name: "La troisième" }))).toBe("TV060");
  });
});
