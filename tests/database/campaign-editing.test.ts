import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PLAY_INTERVAL_MAX_DAYS } from "#domain/rules/constants.ts";
import { type CampaignList, campaignList } from "#domain/schemas/back-office.ts";
import { campaignStats } from "#domain/schemas/campaign-stats.ts";
import {
  type CampaignEditor,
  campaignEditor,
  copiedCampaign,
  type EditorSegment,
  type SavedCampaign,
  savedCampaign,
} from "#domain/schemas/campaigns.ts";
import { callsDuring } from "../harness/calls-during.ts";
import { type Caller, setUpTestDatabase } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  daysFromNow,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { scan, spin } from "../harness/journey.ts";
import { everythingStored } from "./support/stored.ts";
import { untilWaiting } from "./support/waiting.ts";
import { whole } from "./support/whole.ts";

/** Editing, copying and removing campaigns: atomic, numbered, and within the plan. */

const database = setUpTestDatabase();
let ours: Organization;
let theirs: Organization;
let campaign: Campaign;
let coffee: string;

beforeAll(async () => {
  theirs = await createOrganization(database.sql);
});

beforeEach(async () => {
  const { sql } = database;
  ours = await createOrganization(sql);
  campaign = await createCampaign(sql, {
    orgId: ours.id,
    storeId: ours.storeId,
    name: `Été ${randomUUID()}`,
    playIntervalDays: 0,
  });
  coffee = await createReward(sql, campaign, { name: "Café offert" });
  await drawWheel(sql, campaign, [{ weight: 60, rewardId: coffee }, { weight: 40 }]);
});

const asUser = (role: keyof Organization["users"]): Caller => ({ userId: ours.users[role].id });

async function call(caller: Caller, statement: string, values: postgres.ParameterOrJSON<never>[]) {
  return database.as(caller, async (sql) => {
    const [row] = await sql.unsafe<{ answer: unknown }[]>(statement, values);
    return row?.answer;
  });
}

async function read(id = campaign.id, caller = asUser("member")): Promise<CampaignEditor> {
  const answer = await call(caller, "select public.campaign_editor($1) as answer", [id]);
  const editor = whole(campaignEditor, answer);
  if (editor === null) throw new Error("No campaign.");
  return editor;
}

/** The rewards that are at home in the campaign: others are offered as well. */
const own = ({ rewards }: CampaignEditor) => rewards.filter(({ home }) => home === null);

type Change = Partial<Omit<CampaignEditor["campaign"], "archived_at">> & {
  segments?: EditorSegment[] | null;
};

/** Saves what was read, with changes, the way the page does. */
async function save(
  { campaign: row }: CampaignEditor,
  change: Change = {},
  caller = asUser("member"),
): Promise<SavedCampaign> {
  const write = { ...row, segments: null, ...change };
  const statement = `
    select public.save_campaign(p_id => $1, p_version => $2, p_name => $3, p_slug => $4, p_store_id => $5,
      p_active => $6, p_play_interval_days => $7, p_description => $8, p_starts_at => $9::text::timestamptz,
      p_ends_at => $10::text::timestamptz,
      p_segments => $11::text::jsonb) as answer`;
  return savedCampaign.parse(
    await call(caller, statement, [
      write.id,
      write.version,
      write.name,
      write.slug,
      write.store_id,
      write.active,
      write.play_interval_days,
      write.description,
      write.starts_at,
      write.ends_at,
      write.segments && JSON.stringify(write.segments),
    ]),
  );
}

const duplicate = async (id = campaign.id, name = "La copie", caller = asUser("member")) =>
  copiedCampaign.parse(
    await call(caller, "select public.duplicate_campaign($1, $2) as answer", [id, name]),
  );

const remove = (isArchived: boolean, id = campaign.id, caller = asUser("admin")) =>
  call(caller, "select public.remove_campaign($1, $2)::text as answer", [id, isArchived]);

const restore = (caller = asUser("member")) =>
  call(caller, "select public.restore_campaign($1)::text as answer", [campaign.id]);

async function list(isArchived = false): Promise<CampaignList> {
  const statement = "select public.campaign_list($1, p_is_archived => $2) as answer";
  return whole(campaignList, await call(asUser("member"), statement, [ours.id, isArchived]));
}

/** SQLSTATE with which something fails, with its detail; it must leave everything as it was. */
async function refusal(run: () => Promise<unknown>): Promise<string> {
  const before = await everythingStored(database.sql);
  const code = await run().then(
    () => "fine",
    (error: unknown) => {
      if (!(error instanceof postgres.PostgresError)) throw error;
      return error.code.startsWith("TV") && error.detail
        ? `${error.code} ${error.detail}`
        : error.code;
    },
  );
  expect(await everythingStored(database.sql)).toEqual(before);
  return code;
}

function segment(weight: number, change: Partial<EditorSegment> = {}): EditorSegment {
  const own = { id: null, reward_id: null, label: "Perdu", color: "#6B7280", translations: {} };
  return { ...own, weight, ...change };
}

describe("saving", () => {
  it("keeps every field and the wheel, in one go and in order", async () => {
    const annex = await createStore(database.sql, { orgId: ours.id });
    const before = await read();
    const [first, second] = before.segments;
    if (first === undefined || second === undefined) throw new Error("No wheel.");
    const saved = await save(before, {
      name: "  Rentrée  ",
      slug: "rentree-a-nous",
      store_id: annex,
      description: " Pour l'équipe ",
      active: false,
      starts_at: "2027-01-01T08:00:00Z",
      ends_at: "2027-01-01T08:00:00Z",
      play_interval_days: 7,
      segments: [
        { ...second, weight: 25, label: " Dommage " },
        segment(15, { reward_id: coffee, color: "#10B981", label: "Thé" }),
        { ...first, weight: 60 },
      ],
    });
    const after = await read();
    expect(after.campaign).toEqual({
      id: campaign.id,
      version: saved.version,
      name: "Rentrée",
      slug: "rentree-a-nous",
      store_id: annex,
      description: "Pour l'équipe",
      active: false,
      starts_at: "2027-01-01T08:00:00+00:00",
      ends_at: "2027-01-01T08:00:00+00:00",
      play_interval_days: 7,
      archived_at: null,
      translations: {},
    });
    expect(saved.version).toBeGreaterThan(before.campaign.version);
    // A segment that stays is the same segment: past spins point at it.
    expect(after.segments.map(({ id, label, weight }) => [id, label, weight])).toEqual([
      [second.id, "Dommage", 25],
      [expect.any(String), "Thé", 15],
      [first.id, first.label, 60],
    ]);
    const former = await database.sql`
      select slug from public.campaign_slug_redirects where campaign_id = ${campaign.id}`;
    expect([...former]).toEqual([{ slug: campaign.slug }]);
  });

  it("leaves the wheel alone without segments, and its rules with the same ones", async () => {
    const before = await read();
    const rules = () => database.sql`
      select rules_version from public.campaigns where id = ${campaign.id}`;
    const [version] = await rules();
    await save(before, { description: "Autre chose" });
    expect((await read()).segments).toEqual(before.segments);
    const now = await read();
    const { version: kept } = await save(now, { segments: now.segments });
    expect(kept).toBe(now.campaign.version);
    expect(await rules()).toEqual([version]);
  });

  it("answers the address that it got when another merchant has the one asked for", async () => {
    const other = await createCampaign(database.sql, { orgId: theirs.id, storeId: theirs.storeId });
    const { slug } = await save(await read(), { slug: other.slug });
    expect(slug).toBe(`${other.slug}-2`);
  });

  it("refuses what is not a wheel, and changes nothing at all", async () => {
    const before = await read();
    const { sql } = database;
    const stranger = await createReward(
      sql,
      await createCampaign(sql, { orgId: theirs.id, storeId: theirs.storeId }),
    );
    const twice = { ...segment(50), id: before.segments[0]?.id ?? null };
    const wheels: [string, EditorSegment[]][] = [
      ["TV063 99", [segment(60), segment(39)]],
      ["TV063 101", [segment(60), segment(41)]],
      ["TV063 0", []],
      ["TV064", [twice, twice]],
      ["TV064", Array.from({ length: 101 }, () => segment(1))],
      ["TV065", [segment(50), segment(50, { reward_id: stranger })]],
      ["23514", [segment(120), segment(-20)]],
      ["23514", [segment(100, { label: " " })]],
      ["23514", [segment(100, { color: "red" })]],
    ];
    for (const [code, segments] of wheels) {
      expect(await refusal(() => save(before, { name: "Autre", segments })), code).toBe(code);
    }
  });

  it("refuses malformed fields, and names and addresses that the organisation has", async () => {
    const sister = await createCampaign(database.sql, {
      orgId: ours.id,
      storeId: ours.storeId,
      name: "Déjà là",
    });
    const before = await read();
    const changes: [string, Change][] = [
      ["23505", { name: "déjà là " }],
      ["TV066", { slug: sister.slug }],
      ["23514", { slug: "Pas Un Slug" }],
      ["23514", { name: " " }],
      ["23514", { starts_at: "2027-01-02T00:00:00Z", ends_at: "2027-01-01T00:00:00Z" }],
      ["23514", { starts_at: "-infinity" }],
      ["23514", { starts_at: "0044-03-15 BC", ends_at: "2027-01-01T00:00:00Z" }],
      ["23514", { ends_at: "infinity" }],
      ["23514", { ends_at: "20266-01-01T00:00:00Z" }],
      ["23514", { play_interval_days: PLAY_INTERVAL_MAX_DAYS + 1 }],
      ["23503", { store_id: theirs.storeId }],
    ];
    for (const [code, change] of changes) {
      expect(await refusal(() => save(before, change)), JSON.stringify(change)).toBe(code);
    }
  });

  it("takes the longest interval between two plays that the form offers", async () => {
    await save(await read(), { play_interval_days: PLAY_INTERVAL_MAX_DAYS });
    expect((await read()).campaign.play_interval_days).toBe(PLAY_INTERVAL_MAX_DAYS);
  });

  it("is for those who may change campaigns of the organisation", async () => {
    const before = await read();
    expect(await refusal(() => save(before, { name: "À moi" }, asUser("cashier")))).toBe("42501");
    const stranger: Caller = { userId: theirs.users.owner.id };
    expect(await refusal(() => save(before, { name: "À moi" }, stranger))).toBe("42501");
    for (const caller of [asUser("cashier"), stranger]) {
      await expect(read(campaign.id, caller)).rejects.toThrow("No campaign.");
      expect(await refusal(() => duplicate(campaign.id, "À moi", caller))).toBe("42501");
      expect(await refusal(() => remove(false, campaign.id, caller))).toBe("42501");
      expect(await refusal(() => restore(caller))).toBe("42501");
    }
    expect(await refusal(() => remove(true, campaign.id, asUser("member")))).toBe("42501");
  });
});

describe("two people at once", () => {
  it("one saves, the other is refused and overwrites nothing", async () => {
    const both = await read();
    const holder = database.sql.begin(async (sql) => {
      await sql`select from public.campaigns where id = ${campaign.id} for update`;
      await untilWaiting(database.sql, 2);
    });
    const results = await Promise.allSettled([
      save(both, { name: "Le mien", segments: [segment(100, { label: "Le mien" })] }),
      save(both, { name: "Le tien", segments: [segment(100, { label: "Le tien" })] }),
    ]);
    await holder;
    const refused = results.flatMap((result) =>
      result.status === "rejected" ? [result.reason] : [],
    );
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ code: "TV062" });
    const { campaign: row, segments } = await read();
    expect(segments.map(({ label }) => label)).toEqual([row.name]);
  });

  it("a wheel that was redrawn elsewhere is another version, too; a reward's is not", async () => {
    const { sql } = database;
    const mine = await read();
    await sql`update public.rewards set name = 'Thé offert' where id = ${coffee}`;
    await save(mine, { description: "Toujours la mienne" });
    const then = await read();
    await sql`update public.wheel_segments set label = 'Raté' where campaign_id = ${campaign.id}`;
    expect(await refusal(() => save(then, { name: "Trop tard" }))).toMatch(/^TV062 \d+$/);
  });

  it("spins while it is saved: every one wins or loses on one of the wheels", async () => {
    const { sql } = database;
    const before = await read();
    const turns = Promise.all(
      Array.from({ length: 12 }, () => spin(sql, { campaignId: campaign.id })),
    );
    const saved = save(before, {
      slug: `${campaign.slug}-b`,
      segments: [segment(100, { label: "Tout perd" })],
    });
    await saved;
    const answers = await turns;
    expect(answers.map(({ outcome }) => outcome)).toEqual(answers.map(() => "spun"));
    const after = await spin(sql, { campaignId: campaign.id });
    expect(JSON.parse(after.body ?? "{}")).toMatchObject({ segment_label: "Tout perd" });
  });
});

describe("what may run", () => {
  it("is bounded by the plan when a campaign is saved active", async () => {
    const { sql } = database;
    const resting = await createCampaign(sql, {
      orgId: ours.id,
      storeId: ours.storeId,
      active: false,
    });
    await sql`update public.subscriptions set plan = 'free_trial', trial_end = ${daysFromNow(9)}
      where org_id = ${ours.id}`;
    const editor = await read(resting.id);
    expect(await refusal(() => save(editor, { active: true, name: "Active" }))).toBe("TV001 1");
    await save(await read(), { active: false });
    await save(editor, { active: true });
  });

  it("is no campaign of a store that is put away, whichever way it is switched on", async () => {
    const { sql } = database;
    const closed = await createStore(sql, { orgId: ours.id });
    const resting = await createCampaign(sql, { orgId: ours.id, storeId: closed, active: false });
    await sql`update public.stores set archived_at = now() where id = ${closed}`;
    const editor = await read(resting.id);
    expect(await refusal(() => save(editor, { active: true }))).toBe("TV060");
    const running = await read();
    expect(await refusal(() => save(running, { store_id: closed }))).toBe("TV060");
    const directly = (statement: string) =>
      refusal(() => call(asUser("member"), statement, [resting.id]));
    expect(await directly("update public.campaigns set active = true where id = $1")).toBe("TV060");
    expect(
      await refusal(() => createCampaign(sql, { orgId: ours.id, storeId: closed, active: true })),
    ).toBe("TV060");
    // At rest it may be edited there, and run elsewhere.
    await save(editor, { description: "Au repos" });
    await save(await read(resting.id), { active: true, store_id: ours.storeId });
  });

  it("is decided one after the other when a store is put away while its campaign is switched on", async () => {
    const { sql } = database;
    const resting = await createCampaign(sql, {
      orgId: ours.id,
      storeId: ours.storeId,
      active: false,
    });
    const editor = await read(resting.id);
    const saving = await sql.begin(async (archiving) => {
      await archiving`update public.stores set archived_at = now() where id = ${ours.storeId}`;
      const waiting = refusalCode(save(editor, { active: true }));
      await untilWaiting(database.sql);
      return { waiting };
    });
    expect(await saving.waiting).toBe("TV060");
    await sql`update public.stores set archived_at = null where id = ${ours.storeId}`;

    const archived = await sql.begin(async (activating) => {
      await activating`update public.campaigns set active = true where id = ${resting.id}`;
      const waiting = sql`update public.stores set archived_at = now() where id = ${ours.storeId}`;
      const done = waiting.execute();
      await untilWaiting(database.sql);
      return { done };
    });
    await archived.done;
    expect((await read(resting.id)).campaign.active).toBe(false);
  });
});

async function refusalCode(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => "fine",
    (error: unknown) => (error instanceof postgres.PostgresError ? error.code : String(error)),
  );
}

describe("a campaign whose wheel nobody has drawn", () => {
  it("begins with its rewards in equal shares, and a losing segment that takes the rest", async () => {
    const { sql } = database;
    const bare = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    const empty = await read(bare.id);
    expect([empty.wheel, own(empty)]).toEqual(["example", []]);
    const ids = [];
    for (const name of ["Un", "Deux", "Trois"]) ids.push(await createReward(sql, bare, { name }));
    const editor = await read(bare.id);
    expect(editor.wheel).toBe("suggested");
    const named = { id: null, translations: {} };
    expect(editor.segments).toMatchObject([
      { ...named, reward_id: ids[0], label: "Un", color: "#8B5CF6", weight: 33 },
      { ...named, reward_id: ids[1], label: "Deux", color: "#10B981", weight: 33 },
      { ...named, reward_id: ids[2], label: "Trois", color: "#F59E0B", weight: 33 },
      {
        id: null,
        reward_id: null,
        label: "Pas de chance",
        color: "#6B7280",
        weight: 1,
        translations: { en: "No luck" },
      },
    ]);
    await save(editor, { segments: editor.segments });
    expect((await read(bare.id)).wheel).toBe("drawn");
  });
});

describe("a copy", () => {
  it("is as guarded as its original: limits, hours and proof of presence, under a secret of its own", async () => {
    const { sql } = database;
    await sql`
      insert into private.check_settings (org_id, campaign_id, device_daily_limit, device_names, network_names,
        marks_disposable, quiet_from, quiet_to, presence)
      values (${ours.id}, ${campaign.id}, 2, 3, 4, false, null, null, 'word')`;
    const { id } = await duplicate(campaign.id, "Copie");
    const checks = async (campaignId: string) => {
      const [{ campaign_id: _, presence_key: key, ...settings } = {}] = await sql`
        select * from private.check_settings where campaign_id = ${campaignId}`;
      return { key, settings };
    };
    const [source, copy] = [await checks(campaign.id), await checks(id)];
    expect(copy.settings).toMatchObject({ device_daily_limit: 2, presence: "word" });
    expect(copy.settings).toEqual(source.settings);
    expect(copy.key).not.toEqual(source.key);
  });

  it("has the wheel and the rewards, but neither life nor history", async () => {
    const { sql } = database;
    const gone = await createReward(sql, campaign, { name: "Retirée" });
    await sql`update public.rewards set archived_at = now() where id = ${gone}`;
    const stocked = await createReward(sql, campaign, { name: "Tarte", stock: 3, maxPerUser: 2 });
    const before = await read();
    const [first, second] = before.segments;
    if (first === undefined || second === undefined) throw new Error("No wheel.");
    await save(before, {
      description: "Note",
      play_interval_days: 3,
      starts_at: "2030-01-01T00:00:00Z",
      segments: [
        { ...first, weight: 30 },
        segment(10, { reward_id: stocked, label: "Tarte" }),
        { ...second, weight: 60 },
      ],
    });
    await spin(sql, { campaignId: campaign.id });
    const source = await read();
    const { id, name } = await duplicate(campaign.id, `Copie de ${source.campaign.name}`);
    const copy = await read(id);
    expect(copy.campaign).toMatchObject({
      name,
      store_id: ours.storeId,
      description: "Note",
      active: false,
      starts_at: "2030-01-01T00:00:00+00:00",
      play_interval_days: 3,
    });
    expect(copy.campaign.slug).toMatch(/^copie-de-ete-/);
    expect(own(copy).map((reward) => [reward.name, reward.stock])).toEqual([
      ["Café offert", -1],
      ["Tarte", 3],
    ]);
    const named = ({ segments, rewards }: CampaignEditor) =>
      segments.map(({ label, color, weight, reward_id }) => ({
        label,
        color,
        weight,
        reward: rewards.find((reward) => reward.id === reward_id)?.name ?? null,
      }));
    expect(named(copy)).toEqual(named(source));
    const [figures] = (await list()).items.filter((item) => item.id === id);
    expect(figures).toMatchObject({ spins: 0, has_history: false, rewards: 2 });
    // A won prize stays where it was won.
    expect(own(await read()).map((reward) => reward.id)).not.toContain(copy.rewards[0]?.id);
  });

  it("has every column of its rewards, but what is each one's own", async () => {
    const { sql } = database;
    await sql`
      update public.rewards set name = 'Tarte', description = 'Maison', value = 3.5, code_template = 'TARTE-{random}', stock = 7,
        max_per_user = 2, metadata = '{"validityDays": 12, "item": "Une part"}', active = false, archived_at = now(),
        picture = 'pastry', translations = '{"en": "Pie"}', item_translations = '{"en": "A slice"}'
      where campaign_id = ${campaign.id}`;
    const { id } = await duplicate(campaign.id, "Pareille");
    const rows = async (of: string) =>
      (
        await sql<{ row: Record<string, unknown> }[]>`
          select to_jsonb(r) - '{id,campaign_id,created_at,version}'::text[] as row
          from public.rewards r where r.campaign_id = ${of} order by r.created_at`
      ).map(({ row }) => row);
    const source = await rows(campaign.id);
    expect(source.length).toBeGreaterThan(0);
    // A column that is empty in the source proves nothing of its copy: plant a value above.
    expect(source.flatMap((row) => Object.keys(row).filter((name) => row[name] === null))).toEqual(
      [],
    );
    expect(await rows(id)).toEqual(source);
  });

  it("finds a name and an address of its own, also when two are made at once", async () => {
    const made = await Promise.all([duplicate(), duplicate(), duplicate()]);
    expect(made.map(({ name }) => name).toSorted()).toEqual([
      "La copie",
      "La copie (2)",
      "La copie (3)",
    ]);
    for (const unseen of ["", "  ", "\u00a0", "\u3000", "\u200b\u2060"]) {
      expect(await refusal(() => duplicate(campaign.id, unseen))).toBe("22023");
    }
    const long = "é".repeat(200);
    const [one, two] = [await duplicate(campaign.id, long), await duplicate(campaign.id, long)];
    expect(one.name).toBe("é".repeat(120));
    expect(two.name).toBe(`${"é".repeat(110)} (2)`);
  });

  it("finds them when copies of two campaigns get one name at once", async () => {
    const { sql } = database;
    const other = await createCampaign(sql, {
      orgId: ours.id,
      storeId: ours.storeId,
      name: "Loin",
    });
    const name = `Braderie ${randomUUID()}`;
    const second = await database.as(asUser("member"), async (transaction) => {
      await transaction`select public.duplicate_campaign(${campaign.id}, ${name})`;
      const waiting = duplicate(other.id, name);
      await untilWaiting(sql);
      return { waiting };
    });
    const copy = await second.waiting;
    expect(copy.name).toBe(`${name} (2)`);
    expect((await read(copy.id)).campaign.slug).toMatch(/^braderie-.*-2$/);
  });

  it("finds them in few looks where hundreds have the name", async () => {
    const { sql } = database;
    const name = `Foire ${randomUUID()}`;
    const slug = name.toLowerCase().replace(" ", "-");
    await sql`
      insert into public.campaigns (org_id, store_id, name, slug, active)
      select ${ours.id}, ${ours.storeId}, ${name} || case n when 1 then '' else ' (' || n || ')' end,
        ${slug} || case n when 1 then '' else '-' || n end, false
      from generate_series(1, 300) n`;
    await database.as(asUser("member"), async (transaction) => {
      // Counting calls is for superusers; who asks stands in the claims.
      await transaction`reset role`;
      const calls = await callsDuring(transaction, ["is_number_free"], async () => {
        const [row] =
          await transaction`select public.duplicate_campaign(${campaign.id}, ${name}) as copy`;
        expect(row?.copy).toMatchObject({ name: `${name} (301)` });
      });
      // (For the name and for the address.)
      expect(calls.is_number_free).toBeGreaterThan(2);
      expect(calls.is_number_free).toBeLessThan(60);
    });
  });

  it("makes one copy of a second try under the identifier chosen for it, and touches no other campaign", async () => {
    const { sql } = database;
    const copyAs = (caller: Caller, id: string, copyId: string) =>
      call(caller, "select public.duplicate_campaign($1, 'La copie', $2) as answer", [id, copyId]);
    const copyId = randomUUID();
    const made = await copyAs(asUser("member"), campaign.id, copyId);
    expect(made).toEqual({ id: copyId, name: "La copie" });
    const before = await everythingStored(sql);
    expect(await copyAs(asUser("member"), campaign.id, copyId)).toEqual(made);
    expect(await everythingStored(sql)).toEqual(before);
    const theirs = await createOrganization(sql);
    const other = await createCampaign(sql, { orgId: theirs.id, storeId: theirs.storeId });
    expect(await refusal(() => copyAs(asUser("member"), campaign.id, other.id))).toBe("23505");
  });

  it("leaves dates behind that are over, and the store's being put away alone", async () => {
    const { sql } = database;
    await sql`update public.campaigns set starts_at = ${daysFromNow(-9)}, ends_at = ${daysFromNow(-1)}
      where id = ${campaign.id}`;
    await sql`update public.stores set archived_at = now() where id = ${ours.storeId}`;
    const { id } = await duplicate();
    expect((await read(id)).campaign).toMatchObject({ starts_at: null, ends_at: null });
  });
});

describe("removing", () => {
  it("deletes what nobody took part in, with its wheel, rewards and former addresses", async () => {
    const { sql } = database;
    await save(await read(), { slug: `${campaign.slug}-neuf` });
    expect((await list()).items[0]).toMatchObject({ rewards: 1, has_history: false });
    await remove(false);
    const left = await sql`
      select (select count(*)::int from public.campaigns where org_id = ${ours.id}) as campaigns,
        (select count(*)::int from public.rewards where org_id = ${ours.id}) as rewards,
        (select count(*)::int from public.wheel_segments where org_id = ${ours.id}) as segments,
        (select count(*)::int from public.campaign_slug_redirects where org_id = ${ours.id}) as redirects`;
    expect([...left]).toEqual([{ campaigns: 0, rewards: 0, segments: 0, redirects: 0 }]);
  });

  it("refuses to delete what has a history, even one that the counters do not know", async () => {
    const { sql } = database;
    await scan(sql, { slug: campaign.slug });
    expect((await list()).items[0]).toMatchObject({ has_history: true });
    expect(await refusal(() => remove(false))).toBe("TV067");
    await sql`delete from public.campaign_daily_stats where org_id = ${ours.id}`;
    expect(await refusal(() => remove(false))).toBe("TV067");
  });

  it("refuses to delete a campaign whose reward was won in another", async () => {
    const { sql } = database;
    const next = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    const offer = (rewardId: string | null) => sql`
      update public.wheel_segments set reward_id = ${rewardId} where campaign_id = ${campaign.id}`;
    await offer(coffee);
    await spin(sql, { campaignId: campaign.id });
    await offer(null);
    await sql`update public.rewards set campaign_id = ${next.id} where id = ${coffee}`;
    expect(await refusal(() => remove(false, next.id))).toBe("TV067");
  });

  it("waits for a customer who is playing, and then keeps the history", async () => {
    const { sql } = database;
    const removing = await sql.begin(async (playing) => {
      await spin(playing, { campaignId: campaign.id });
      const waiting = refusalCode(remove(false));
      await untilWaiting(database.sql);
      return { waiting };
    });
    expect(await removing.waiting).toBe("TV067");
  });

  it("archives: it rests, leaves the list, changes no more, and can come back at rest", async () => {
    const { sql } = database;
    await spin(sql, { campaignId: campaign.id });
    await remove(true);
    expect(await list()).toMatchObject({ total: 0, active: 0, archived: 1, items: [] });
    const [put] = (await list(true)).items;
    expect(put).toMatchObject({ id: campaign.id, active: false, spins: 1 });
    const editor = await read();
    expect(await refusal(() => save(editor, { name: "Autre" }))).toBe("TV061");
    const wake = "update public.campaigns set active = true where id = $1";
    expect(await refusal(() => call(asUser("owner"), wake, [campaign.id]))).toBe("TV061");
    const [closed] = await sql`select public.campaign_page(${campaign.slug}) as page`;
    expect(closed).toEqual({ page: null });
    await restore();
    expect((await list()).items[0]).toMatchObject({ id: campaign.id, active: false });
    await save(await read(), { active: true });
  });
});

describe("a poster that was taken", () => {
  const note = (caller: Caller, id = campaign.id) =>
    call(caller, "select public.note_poster($1)::text as answer", [id]);
  const stored = async () => {
    const [row] = await database.sql<{ at: Date | null; version: number; events: string }[]>`
      select c.poster_at as at, c.version, (
        select count(*) from public.audit_events e where e.subject_id = c.id
      ) as events from public.campaigns c where c.id = ${campaign.id}`;
    if (row === undefined) throw new Error("No campaign.");
    return row;
  };
  const hasPoster = async () => {
    const answer = await call(asUser("member"), "select public.campaign_stats($1) as answer", [
      campaign.id,
    ]);
    return whole(campaignStats, answer)?.campaign.has_poster;
  };

  it("is kept with its first moment, and is no change of the campaign", async () => {
    const before = await stored();
    expect(before.at).toBeNull();
    expect(await hasPoster()).toBe(false);
    await note(asUser("member"));
    const first = await stored();
    expect(first).toEqual({ ...before, at: expect.any(Date) });
    expect(await hasPoster()).toBe(true);
    await note(asUser("owner"));
    expect(await stored()).toEqual(first);
    // A copy has its own way before it.
    const { id } = await duplicate(campaign.id, "La copie affichée");
    expect(await database.sql`select poster_at from public.campaigns where id = ${id}`).toEqual([
      { poster_at: null },
    ]);
  });

  it("counts where somebody scanned before anything was kept", async () => {
    await scan(database.sql, { slug: campaign.slug });
    expect(await hasPoster()).toBe(true);
    expect((await stored()).at).toBeNull();
  });

  it("is for those who may change that campaign", async () => {
    for (const caller of [asUser("cashier"), { userId: theirs.users.owner.id }]) {
      expect(await refusal(() => note(caller))).toBe("42501");
    }
  });
});

describe("what is written down", () => {
  it("names who saved, redrew, copied, archived, restored and deleted, once each", async () => {
    const { sql } = database;
    const trail = async () => {
      const rows = await sql<{ line: string }[]>`
        select action || coalesce(' ' || (detail ->> 'fields'), '') as line from public.audit_events
        where org_id = ${ours.id} and user_id = ${ours.users.admin.id} and subject_type = 'campaign'
        order by id`;
      return rows.map(({ line }) => line);
    };
    const admin = asUser("admin");
    const before = await read();
    const [first] = before.segments;
    await save(
      before,
      {
        description: "Note",
        segments: [{ ...segment(50), id: first?.id ?? null }, segment(50, { reward_id: coffee })],
      },
      admin,
    );
    const { id } = await duplicate(campaign.id, "La copie", admin);
    await remove(true);
    await restore(admin);
    await remove(false, id);
    expect(await trail()).toEqual([
      'campaign.updated ["description"]',
      'campaign.updated ["wheel"]',
      "campaign.created",
      'campaign.archived ["active", "archived_at"]',
      'campaign.restored ["archived_at"]',
      "campaign.deleted",
    ]);
  });
});

describe("a wheel that its merchant writes row by row", () => {
  const write = (statement: string) =>
    database
      .as(asUser("member"), (sql) => sql.unsafe(statement, [campaign.id]))
      .then(
        () => "written",
        (error: unknown) =>
          error instanceof postgres.PostgresError
            ? [error.code, error.constraint_name, error.detail]
            : error,
      );

  it.each([
    [
      "a segment too many",
      "insert into public.wheel_segments (org_id, campaign_id, label, color, weight, position) select org_id, id, 'Perdu', '#6B7280', 1, 2 from public.campaigns where id = $1",
      "101",
    ],
    [
      "a weight that is too small",
      "update public.wheel_segments set weight = 39 where campaign_id = $1 and position = 1",
      "99",
    ],
    [
      "a segment too few",
      "delete from public.wheel_segments where campaign_id = $1 and position = 0",
      "40",
    ],
  ])("is refused with %s, and stays as it was", async (_, statement, total) => {
    const before = await everythingStored(database.sql);
    expect(await write(statement)).toEqual(["23514", "wheel_segments_total_check", total]);
    expect(await everythingStored(database.sql)).toEqual(before);
  });

  it("may shift its weights in one transaction, and lose them all", async () => {
    expect(
      await write(
        "update public.wheel_segments set weight = case position when 0 then 10 else 90 end where campaign_id = $1",
      ),
    ).toBe("written");
    expect(await write("delete from public.wheel_segments where campaign_id = $1")).toBe("written");
    expect(
      await database.sql`select from public.wheel_segments where campaign_id = ${campaign.id}`,
    ).toHaveLength(0);
  });
});
