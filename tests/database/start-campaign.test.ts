import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { beforeEach, describe, expect, it } from "vitest";
import { proposedTranslations, translateProposal } from "#domain/rules/proposed-words.ts";
import { TRADES } from "#domain/rules/trade-wheels.ts";
import { startedCampaign } from "#domain/schemas/campaigns.ts";
import {
  proposalFor,
  toSegments,
} from "../../web/features/campaign-editor/starter/starter.schema.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { spin } from "../harness/journey.ts";
import { everythingStored } from "./support/stored.ts";

/** A campaign made with its prizes and its wheel: all of it or nothing, and once. */

const database = setUpTestDatabase();
let ours: Organization;

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
  source: string | null;
  stock: number | null;
  description: string | null;
  startsAt: string | null;
  endsAt: string | null;
};

const start = (change: Partial<Start> = {}, role: keyof Organization["users"] = "member") => {
  const {
    id,
    storeId,
    name,
    slug,
    active,
    segments,
    source: copied,
    ...rest
  } = {
    id: randomUUID(),
    storeId: ours.storeId,
    name: "La roue",
    slug: null,
    active: true,
    segments: CAFE,
    source: null,
    stock: null,
    description: null,
    startsAt: null,
    endsAt: null,
    ...change,
  };
  return database.as({ userId: ours.users[role].id }, async (sql) => {
    const [row] = await sql`
      select public.start_campaign(${id}, ${storeId}, ${name}, ${slug}, ${active},
        ${JSON.stringify(segments)}::text::jsonb, ${copied}, ${rest.stock}, ${rest.description},
        ${rest.startsAt}::text::timestamptz, ${rest.endsAt}::text::timestamptz) as answer`;
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
    const proposal = translateProposal(toSegments(proposalFor(trade)));
    const id = await start({ segments: proposal });
    const rows = await database.sql`
      select w.label, w.color, w.weight::int, r.name, r.type, (r.value * 100)::int as cents, r.stock, r.active, r.picture,
        coalesce(r.translations, w.translations) as translations
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
        picture: prize?.picture ?? null,
        translations: proposedTranslations(label),
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

/** A campaign with a wheel, four rewards and some stock, to copy. */
async function source() {
  const id = await start({ name: "La première", segments: CAFE });
  await database.sql`
    update public.rewards set stock = 3, metadata = '{"validityDays": 7}' where campaign_id = ${id}`;
  await database.sql`update public.campaigns set play_interval_days = 12 where id = ${id}`;
  return id;
}

/** A campaign's wheel with what each segment wins. */
const wheelOf = async (id: string) => [
  ...(await database.sql`
    select w.label, w.weight::int, r.name, r.stock, r.metadata, r.value::text, r.campaign_id = ${id} as own
    from public.wheel_segments w left join public.rewards r on r.id = w.reward_id
    where w.campaign_id = ${id} order by w.position`),
];

describe("a copy that is started", () => {
  it("keeps the checks of its original", async () => {
    const id = await source();
    await database.sql`
      insert into private.check_settings (org_id, campaign_id, device_daily_limit) values (${ours.id}, ${id}, 3)`;
    const copy = await start({ name: "Gardée", segments: null, source: id });
    const kept = await database.sql`
      select device_daily_limit from private.check_settings where campaign_id = ${copy}`;
    expect([...kept]).toEqual([{ device_daily_limit: 3 }]);
  });

  it("has the wheel and rewards of its own, with the stock that is chosen", async () => {
    const first = await source();
    const expected = await wheelOf(first);
    expect(expected.map(({ stock }) => stock)).toEqual([3, 3, null, 3, 3, null]);
    for (const [stock, each] of [
      [null, 3],
      [-1, -1],
      [40, 40],
    ] as const) {
      const copy = await start({ name: `Avec ${stock}`, segments: null, source: first, stock });
      expect(await wheelOf(copy)).toEqual(
        expected.map((one) => ({ ...one, stock: one.stock && each })),
      );
    }
    expect(await wheelOf(first)).toEqual(expected);
  });

  it("runs at the given store and dates, as often as the one that it copies", async () => {
    const storeId = await createStore(database.sql, { orgId: ours.id });
    const id = await start({
      name: "La deuxième",
      storeId,
      segments: null,
      source: await source(),
      description: " Pour l'équipe ",
      startsAt: "2026-12-01T00:00:00Z",
      endsAt: "2026-12-24T23:59:59Z",
    });
    const [row] = await database.sql`
      select store_id, description, starts_at, ends_at, play_interval_days::int as days, active
      from public.campaigns where id = ${id}`;
    expect(row).toEqual({
      store_id: storeId,
      description: "Pour l'équipe",
      starts_at: new Date("2026-12-01T00:00:00Z"),
      ends_at: new Date("2026-12-24T23:59:59Z"),
      days: 12,
      active: true,
    });
  });

  it("is refused of another organisation's campaign, or with a stock that is none", async () => {
    const theirs = await createOrganization(database.sql);
    const { id } = await createCampaign(database.sql, {
      orgId: theirs.id,
      storeId: theirs.storeId,
    });
    const first = await source();
    const copy = (change: Partial<Start>) =>
      refusal(() => start({ name: "Copie", segments: null, ...change }));
    expect(await copy({ source: id })).toBe("42501");
    expect(await copy({ source: first, stock: -2 })).toBe("23514");
  });
});

describe("whether something can be won", () => {
  it("is answered for each campaign, as a spin would find it", async () => {
    const { sql } = database;
    const { id } = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    const told = async () => {
      const answers = await database.as({ userId: ours.users.member.id }, async (asked) => {
        const [row] = await asked`
          select public.campaign_list(${ours.id}) #> '{items,0,has_prize}' as listed,
            public.campaign_stats(${id}) #> '{campaign,has_prize}' as shown`;
        return row;
      });
      expect(answers?.listed).toBe(answers?.shown);
      return answers?.listed;
    };
    expect(await told()).toBe(false);
    const rewardId = await createReward(sql, { id, orgId: ours.id });
    expect(await told()).toBe(true);
    await sql`update public.rewards set active = false where id = ${rewardId}`;
    expect(await told()).toBe(false);
    await sql`update public.rewards set active = true, stock = 0 where id = ${rewardId}`;
    expect(await told()).toBe(false);
    await sql`update public.rewards set stock = 1 where id = ${rewardId}`;
    await drawWheel(sql, { id, orgId: ours.id }, [{ weight: 0, rewardId }, { weight: 100 }]);
    expect(await told()).toBe(false);
    await sql`delete from public.wheel_segments where campaign_id = ${id}`;
    await drawWheel(sql, { id, orgId: ours.id }, [{ weight: 40, rewardId }, { weight: 60 }]);
    for (const [change, isLeft] of [
      ["stock = 0", false],
      ["stock = -1", true],
      ["active = false", false],
      ["active = true", true],
    ] as const) {
      await sql.unsafe(`update public.rewards set ${change} where id = $1`, [rewardId]);
      expect(await told()).toBe(isLeft);
    }
    await sql`delete from public.wheel_segments where campaign_id = ${id}`;
    expect(await told()).toBe(true);
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
      [[{ ...first, prize: { type: "gift", cost_cents: 1, picture: "car" } }, ...others], "23514"],
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
