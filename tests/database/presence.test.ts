import { createHmac, randomUUID } from "node:crypto";
import postgres, { type ISql, type Sql } from "postgres";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { PRESENCE_STEP_S } from "#domain/rules/constants.ts";
import { presenceBoard } from "#domain/schemas/presence.ts";
import { codeNow } from "../../web/features/redeem/presence/code-now.ts";
import { become, setUpTestDatabase, undone } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  drawWheel,
  giveRole,
  type Organization,
} from "../harness/fixtures.ts";
import { spin } from "../harness/journey.ts";
import { numbers } from "../harness/numbers.ts";
import { untilWaiting } from "./support/waiting.ts";

/** Proof of presence: what is asked for, what proves it and for how long, and what a refusal leaves behind. */

const database = setUpTestDatabase();
let ours: Organization;
let campaign: Campaign;
let rewardId: string;

beforeEach(async () => {
  ours = await createOrganization(database.sql);
  campaign = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
  rewardId = await createReward(database.sql, campaign, { stock: 10 });
  await drawWheel(database.sql, campaign, [{ weight: 100, rewardId }]);
});

/** A fixed key, for what is reckoned from instants that are given. */
const KEY = Buffer.alloc(32, 0xab);

const ask = (presence: string | null) =>
  database.as(
    { userId: ours.users.owner.id },
    (sql) => sql`
      select public.save_check_settings(${campaign.id}, 6, 8, true, null, '02:00', '05:00', ${presence})`,
  );

async function keyOf(sql: ISql): Promise<Buffer> {
  const [row] = await sql<{ key: Buffer }[]>`
    select presence_key as key from private.check_settings where campaign_id = ${campaign.id}`;
  if (row === undefined) throw new Error("Nothing is asked.");
  return row.key;
}

/** Code or word that the store shows at the present moment of a transaction. */
async function shown(sql: ISql, kind: "turning" | "word"): Promise<string> {
  const key = await keyOf(sql);
  const [row] =
    kind === "turning"
      ? await sql<{ text: string }[]>`select private.presence_code(${key}, now()) as text`
      : await sql<{ text: string }[]>`
          select private.presence_word(${key}, (now() at time zone 'Europe/Paris')::date) as text`;
  return row?.text ?? "";
}

type Proof = { outcome: string; pass: string | null; retry_at: Date | null };

async function prove(
  sql: ISql,
  proof: string,
  { device = randomUUID(), address = randomUUID() }: { device?: string; address?: string } = {},
): Promise<Proof> {
  const [row] = await sql<Proof[]>`
    select outcome, pass, retry_at from public.prove_presence(${campaign.id}, ${proof}, ${device}, ${address})`;
  if (row === undefined) throw new Error("prove_presence answered nothing.");
  return row;
}

/** A pass, by what the store shows: in one transaction, so that no edge of the clock comes between. */
const passFor = (device: string): Promise<string> =>
  database.sql
    .begin(async (sql) => [await prove(sql, await shown(sql, "turning"), { device })])
    .then(([proof]) => proof?.pass ?? "");

const play = (sql: ISql, turn: Partial<Parameters<typeof spin>[1]> = {}) =>
  spin(sql, { campaignId: campaign.id, ...turn });

async function traces(sql: Sql): Promise<object | undefined> {
  const [row] = await sql<{ counts: object }[]>`
    select json_build_object(
      'customers', (select count(*) from public.customers where org_id = ${ours.id}),
      'spins', (select count(*) from public.spins where org_id = ${ours.id}),
      'codes', (select count(*) from public.redemptions where org_id = ${ours.id}),
      'stock', (select stock from public.rewards where id = ${rewardId})) as counts`;
  return row?.counts;
}

const UNTOUCHED = { customers: 0, spins: 0, codes: 0, stock: 10 };

it("a presence code is keyed by HMAC-SHA-256 as the standard has it", async () => {
  const [row] = await database.sql<{ tag: string }[]>`
    select encode(private.hmac_sha256(${KEY}, 'mot du jour é'), 'hex') as tag`;
  expect(row?.tag).toBe(createHmac("sha256", KEY).update("mot du jour é").digest("hex"));
});

/** Number that a message makes of the fixed key, as the product reads it from its first 6 bytes. */
const numberOf = (message: string) =>
  createHmac("sha256", KEY).update(message).digest().readUIntBE(0, 6);

it("turns the code of presence at the step that pages name", async () => {
  const [row] = await database.sql<{ seconds: number }[]>`
    select extract(epoch from private.presence_step())::integer as seconds`;
  expect(row?.seconds).toBe(PRESENCE_STEP_S);
});

it("shows six digits that turn every 30 seconds, and a word with two digits a day, of the key alone", async () => {
  const codeOf = (step: number) => String(numberOf(`turning ${step}`) % 1_000_000).padStart(6, "0");
  const instants = [0, 29.999, 30, 1_800_000_015].map((seconds) => ({
    at: seconds,
    code: codeOf(Math.floor(seconds / 30)),
  }));
  const codes = await database.sql<{ code: string }[]>`
    select private.presence_code(${KEY}, to_timestamp(t.at)) as code
    from unnest(${instants.map(({ at }) => at)}::float[]) with ordinality t (at, place) order by t.place`;
  expect(codes.map(({ code }) => code)).toEqual(instants.map(({ code }) => code));
  // Nine more follow, one a step, whether a step has just begun or is nearly over.
  for (const at of [1_800_000_000, 1_800_000_029.999]) {
    const [next] = await database.sql<{ codes: string[] }[]>`
      select private.presence_codes(${KEY}, to_timestamp(${at})) as codes`;
    expect(next?.codes).toEqual(Array.from({ length: 10 }, (_, n) => codeOf(60_000_000 + n)));
  }
  const [found] = await database.sql<{ words: string[] }[]>`
    select private.presence_words() as words`;
  const words = found?.words ?? [];
  const days = ["2026-03-28", "2026-03-29", "2027-01-01"].map((day) => {
    const number = numberOf(`word ${day}`);
    const digits = String(Math.floor(number / 1000) % 100).padStart(2, "0");
    return { day, word: `${words[number % words.length]} ${digits}` };
  });
  const shownWords = await database.sql`
    select d.day::text as day, private.presence_word(${KEY}, d.day) as word
    from unnest(${days.map(({ day }) => day)}::date[]) with ordinality d (day, place) order by d.place`;
  expect([...shownWords]).toEqual(days);
});

describe("a campaign that asks for nothing", () => {
  it("lets everybody play, before and after it has asked", async () => {
    expect((await prove(database.sql, "1")).outcome).toBe("not_asked");
    expect((await play(database.sql)).outcome).toBe("spun");
    await ask("turning");
    expect((await play(database.sql)).outcome).toBe("presence_missing");
    await ask(null);
    expect((await play(database.sql)).outcome).toBe("spun");
  });

  it("asks for nothing though another one of the same store does", async () => {
    await ask("receipt");
    const mine = campaign;
    campaign = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
    expect((await prove(database.sql, "4821")).outcome).toBe("not_asked");
    campaign = mine;
    expect((await prove(database.sql, "4821")).outcome).toBe("proven");
  });

  it("refuses every proof when it is unknown or does not run", async () => {
    await ask("receipt");
    await database.sql`update public.campaigns set active = false where id = ${campaign.id}`;
    expect((await prove(database.sql, "4821")).outcome).toBe("campaign_not_found");
    campaign = { ...campaign, id: randomUUID() };
    expect((await prove(database.sql, "4821")).outcome).toBe("campaign_not_found");
  });
});

describe("a spin", () => {
  it("is refused without a pass, with a forged, another device's or another campaign's, and leaves nothing", async () => {
    await ask("turning");
    const device = randomUUID();
    const pass = await passFor(device);
    const [until = "", seal = ""] = pass.split(".");
    const forged = `${Number(until) + 60}.${seal}`;
    for (const presence of [null, "", "0", "123456", forged, `${until}.${"0".repeat(64)}`]) {
      expect((await play(database.sql, { device, presence })).outcome).toBe("presence_missing");
    }
    expect((await play(database.sql, { presence: pass })).outcome).toBe("presence_missing");
    const mine = campaign;
    campaign = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
    await ask("turning");
    expect((await play(database.sql, { device, presence: pass })).outcome).toBe("presence_missing");
    campaign = mine;
    expect(await traces(database.sql)).toEqual(UNTOUCHED);
    expect((await play(database.sql, { device, presence: pass })).outcome).toBe("spun");
  });

  it("that was drawn is answered again without a pass", async () => {
    await ask("turning");
    const [device, playId] = [randomUUID(), randomUUID()];
    const turn = { device, playId, email: "a@exemple.fr" };
    const first = await play(database.sql, { ...turn, presence: await passFor(device) });
    expect(first.outcome).toBe("spun");
    expect(await play(database.sql, turn)).toMatchObject({ outcome: "repeated", body: first.body });
  });

  it("is good for half an hour after the proof, and no longer", async () => {
    await ask("turning");
    const device = randomUUID();
    const pass = await passFor(device);
    const key = await keyOf(database.sql);
    const until = Number(pass.split(".")[0]);
    const [row] = await database.sql<{ before: boolean; after: boolean }[]>`
      select private.is_presence_pass(${key}, ${pass}, ${device}, to_timestamp(${until - 1})) as before,
        private.is_presence_pass(${key}, ${pass}, ${device}, to_timestamp(${until})) as after`;
    expect(row).toEqual({ before: true, after: false });
  });
});

describe("a proof", () => {
  it.each([
    ["turning", (text: string) => ` ${text.slice(0, 3)} ${text.slice(3)} `],
    ["word", (text: string) => text.toUpperCase().replace(" ", "-")],
  ] as const)("is the %s of the store as people type it", async (kind, typed) => {
    await ask(kind);
    await database.sql.begin(async (sql) => {
      expect((await prove(sql, typed(await shown(sql, kind)))).outcome).toBe("proven");
      expect((await prove(sql, "pomme 1")).outcome).toBe("presence_wrong");
    });
  });

  it.each([
    ["4821", "proven"],
    ["48 21", "proven"],
    ["482", "presence_wrong"],
    ["48211", "presence_wrong"],
    ["ABCD", "presence_wrong"],
  ])("of a receipt has four digits: %s", async (typed, outcome) => {
    await ask("receipt");
    expect((await prove(database.sql, typed)).outcome).toBe(outcome);
  });

  it("is good on any number of phones at once", async () => {
    await ask("word");
    const word = await database.sql.begin(async (sql) => [await shown(sql, "word")]);
    const address = randomUUID();
    // A word is good ten minutes longer than its day: no midnight comes between.
    const proofs = await Promise.all(
      Array.from({ length: 100 }, () => prove(database.sql, word[0] ?? "", { address })),
    );
    expect(new Set(proofs.map(({ outcome }) => outcome))).toEqual(new Set(["proven"]));
  });

  it("is tried ten times an hour on a device, however right the next one is, and sixty times from an address", async () => {
    await ask("turning");
    await database.sql.begin(async (sql) => {
      const right = await shown(sql, "turning");
      const wrong = right === "000000" ? "000001" : "000000";
      const [device, address] = [randomUUID(), randomUUID()];
      for (let i = 0; i < 10; i += 1) {
        expect((await prove(sql, wrong, { device, address })).outcome).toBe("presence_wrong");
      }
      expect(await prove(sql, right, { device, address })).toMatchObject({
        outcome: "too_many_attempts",
        pass: null,
        retry_at: expect.any(Date),
      });
      expect((await prove(sql, right, { address })).outcome).toBe("proven");
      for (let i = 0; i < 50; i += 1) await prove(sql, wrong, { address });
      expect((await prove(sql, right, { address })).outcome).toBe("too_many_attempts");
      expect((await prove(sql, right)).outcome).toBe("proven");
    });
    expect(await traces(database.sql)).toEqual(UNTOUCHED);
  });

  it("waits for the wrong ones that are under way, and for no right one", async () => {
    await ask("word");
    const [device, address] = [randomUUID(), randomUUID()];
    // A word is good ten minutes longer than its day: no midnight comes between.
    const right = await shown(database.sql, "word");
    await database.sql.begin(async (honest) => {
      expect((await prove(honest, right, { address })).outcome).toBe("proven");
      expect((await prove(database.sql, right, { address })).outcome).toBe("proven");
    });
    const { late } = await database.sql.begin(async (guesses) => {
      for (let i = 0; i < 10; i += 1) {
        expect((await prove(guesses, "pomme 1", { device, address })).outcome).toBe(
          "presence_wrong",
        );
      }
      const answer = prove(database.sql, right, { device });
      await untilWaiting(database.sql);
      return { late: { answer } };
    });
    expect(await late.answer).toMatchObject({ outcome: "too_many_attempts", pass: null });
  });

  it("is tried as often by a thousand at once as by one after the other", async () => {
    await ask("word");
    const crowd = postgres(database.url, { max: 40, onnotice: () => {} });
    onTestFinished(() => crowd.end());
    const wrong = async (times: number, phone: () => Parameters<typeof prove>[2]) => {
      const tries = Array.from({ length: times }, () => prove(crowd, "pomme 1", phone()));
      const outcomes = (await Promise.all(tries)).map(({ outcome }) => outcome);
      return outcomes.filter((outcome) => outcome === "presence_wrong").length;
    };
    const [device, address] = [randomUUID(), randomUUID()];
    expect(await wrong(500, () => ({ device }))).toBe(10);
    expect(await wrong(500, () => ({ address }))).toBe(60);
  });

  it("passes for honest people whose screen is ten seconds off, and never by a photo of 90 seconds", async () => {
    const random = numbers(17);
    const start = Date.UTC(2026, 2, 28, 9) / 1000;
    const scan = (delay: () => number) => {
      const seenAt = start + random() * 86_400;
      const screenIsOff = random() * 20 - 10;
      return { shown: seenAt + screenIsOff, checked: seenAt + delay() };
    };
    // Half scan the screen, half type what it shows.
    const honest = Array.from({ length: 2000 }, () =>
      scan(() => (random() < 0.5 ? 1 + random() * 4 : 4 + random() * 16)),
    );
    const photos = Array.from({ length: 1000 }, () => scan(() => 90 + random() * 600));
    const accepted = async (scans: typeof honest) => {
      const [row] = await database.sql<{ share: number }[]>`
        select avg(private.is_presence_proof('turning', ${KEY}, private.presence_code(${KEY}, to_timestamp(s.shown)),
          'Europe/Paris', to_timestamp(s.checked))::integer)::float as share
        from unnest(${scans.map((one) => one.shown)}::float[], ${scans.map((one) => one.checked)}::float[])
          as s (shown, checked)`;
      return row?.share;
    };
    expect(await accepted(honest)).toBeGreaterThanOrEqual(0.995);
    expect(await accepted(photos)).toBe(0);
  });

  it("by the code is good from 30 seconds before its turn to 30 after, to the instant", async () => {
    const turn = Date.UTC(2026, 2, 28, 9) / 1000;
    const at = async (seconds: number) => {
      const [row] = await database.sql<{ isRight: boolean }[]>`
        select private.is_presence_proof('turning', ${KEY}, private.presence_code(${KEY}, to_timestamp(${turn})),
          'Europe/Paris', to_timestamp(${turn + seconds})) as "isRight"`;
      return row?.isRight;
    };
    expect(await Promise.all([-30.001, -30, 59.999, 60].map(at))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it("by the word is that of the campaign's own store, whatever day it is at another", async () => {
    for (const timezone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      const storeId = await createStore(database.sql, { orgId: ours.id, timezone });
      campaign = await createCampaign(database.sql, { orgId: ours.id, storeId });
      await ask("word");
      await undone(database.sql, async (sql) => {
        // It is never the same day at both: 25 hours lie between.
        const [word] = await sql<{ text: string }[]>`
          select private.presence_word(${await keyOf(sql)}, (now() at time zone ${timezone})::date) as text`;
        expect((await prove(sql, word?.text ?? "")).outcome).toBe("proven");
      });
    }
  });

  it("by the word changes at midnight of the store, with ten minutes for who has just read it", async () => {
    const at = async (instant: string, timezone: string) => {
      const [row] = await database.sql<{ isRight: boolean }[]>`
        select private.is_presence_proof('word', ${KEY}, private.presence_word(${KEY}, '2026-03-28'), ${timezone},
          ${instant}) as "isRight"`;
      return row?.isRight;
    };
    expect(await at("2026-03-28T22:59:59Z", "Europe/Paris")).toBe(true);
    expect(await at("2026-03-28T23:09:59.999Z", "Europe/Paris")).toBe(true);
    expect(await at("2026-03-28T23:10:00Z", "Europe/Paris")).toBe(false);
    expect(await at("2026-03-28T23:10:00Z", "America/Martinique")).toBe(true);
  });
});

describe("the screen at the till", () => {
  it("shows what proves presence to that store's till alone, and never the key", async () => {
    await ask("turning");
    const [elsewhere, stranger] = [
      await createStore(database.sql, { orgId: ours.id }),
      await createOrganization(database.sql),
    ];
    const board = (userId: string, storeId: string) =>
      database.as({ userId }, async (sql) => {
        const [row] = await sql<{ board: unknown }[]>`
          select public.presence_board(${storeId}) as board`;
        return row?.board;
      });
    const seen = await board(ours.users.cashier.id, ours.storeId);
    const { campaigns, turns_in_ms } = presenceBoard.parse(seen);
    expect(campaigns).toMatchObject([{ id: campaign.id, kind: "turning", word: null }]);
    expect(campaigns[0]?.codes).toHaveLength(10);
    expect(turns_in_ms).toBeGreaterThan(0);
    expect(turns_in_ms).toBeLessThanOrEqual(30_000);
    // A code of the next five minutes; which of them is the present one depends on the moment.
    const now = await database.sql.begin(async (sql) => [await shown(sql, "turning")]);
    expect(campaigns[0]?.codes?.slice(0, 3)).toContain(now[0]);
    expect(JSON.stringify(seen)).not.toContain((await keyOf(database.sql)).toString("hex"));
    expect(presenceBoard.parse(await board(ours.users.cashier.id, elsewhere)).campaigns).toEqual(
      [],
    );
    for (const userId of [stranger.users.owner.id, stranger.users.cashier.id]) {
      await expect(board(userId, ours.storeId)).rejects.toMatchObject({ code: "42501" });
    }
    await ask("receipt");
    expect(presenceBoard.parse(await board(ours.users.owner.id, ours.storeId)).campaigns).toEqual(
      [],
    );
  });

  it("shows the codes of five minutes or the word of the day, and when either changes", async () => {
    await ask("turning");
    const turning = campaign;
    campaign = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
    await ask("word");
    const stopped = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
    const other = campaign;
    campaign = stopped;
    await ask("turning");
    await database.sql`update public.campaigns set active = false where id = ${stopped.id}`;
    await undone(database.sql, async (sql) => {
      await become(sql, { userId: ours.users.cashier.id });
      const [row] = await sql<{ board: unknown }[]>`
        select public.presence_board(${ours.storeId}) as board`;
      await sql`reset role`;
      const campaigns = await sql`
        select c.id, c.name, c.slug, k.presence as kind,
          case k.presence when 'turning' then (
            select array_agg(private.presence_code(k.presence_key, now() + n * interval '30 seconds') order by n)
            from generate_series(0, 9) n) end as codes,
          case k.presence when 'word' then
            private.presence_word(k.presence_key, (now() at time zone 'Europe/Paris')::date) end as word
        from public.campaigns c join private.check_settings k on k.campaign_id = c.id
        where c.id in (${turning.id}, ${other.id}) order by k.presence desc`;
      const [time] = await sql<{ turn: number; day: number }[]>`
        select (30000 - floor(extract(epoch from now()) * 1000)::bigint % 30000)::integer as turn,
          ceil(extract(epoch from (date_trunc('day', now() at time zone 'Europe/Paris') + interval '1 day')
            at time zone 'Europe/Paris' - now()) * 1000)::integer as day`;
      expect(presenceBoard.parse(row?.board)).toEqual({
        turns_in_ms: time?.turn,
        day_ends_in_ms: time?.day,
        campaigns: [...campaigns],
      });
      // The till's screen turns to the next code at the instant at which the server does.
      const board = { ...presenceBoard.parse(row?.board), at: 0 };
      const codes = board.campaigns.find(({ id }) => id === turning.id)?.codes ?? [];
      for (const later of [
        0,
        board.turns_in_ms - 1,
        board.turns_in_ms,
        board.turns_in_ms + PRESENCE_STEP_S * 1000,
      ]) {
        const [there] = await sql<{ code: string }[]>`
          select private.presence_code(k.presence_key, date_trunc('milliseconds', now()) + ${later} * interval '1 millisecond') as code
          from private.check_settings k where k.campaign_id = ${turning.id}`;
        expect(codeNow(board, codes, later)?.code).toBe(there?.code);
      }
    });
  });

  it("is for whoever may take codes there: of a role, and of the store that one is bound to", async () => {
    await ask("turning");
    const elsewhere = await createStore(database.sql, { orgId: ours.id });
    const { member, cashier } = ours.users;
    await giveRole(database.sql, member, { orgId: ours.id, permissions: ["stores.read"] });
    await database.sql`
      update public.organization_members set store_id = ${elsewhere} where user_id = ${cashier.id}`;
    const board = (userId: string, storeId: string) =>
      database.as({ userId }, (sql) => sql`select public.presence_board(${storeId})`);
    await expect(board(member.id, ours.storeId)).rejects.toMatchObject({ code: "42501" });
    await expect(board(cashier.id, ours.storeId)).rejects.toMatchObject({ code: "42501" });
    expect(await board(cashier.id, elsewhere)).toHaveLength(1);
  });
});

describe("the settings", () => {
  it("say what is asked and not the key, refuse what they do not know, and stand in the rules of the game", async () => {
    const version = async () => {
      const [row] = await database.sql<{ version: number; presence: string | null }[]>`
        select c.rules_version as version, r.content ->> 'presence' as presence from public.campaigns c
        join public.campaign_rules r on r.campaign_id = c.id and r.version = c.rules_version
        where c.id = ${campaign.id}`;
      return row;
    };
    const before = await version();
    await ask("word");
    const settings = await database.as({ userId: ours.users.member.id }, async (sql) => {
      const [row] = await sql<{ settings: object }[]>`
        select public.check_settings(${campaign.id}) as settings`;
      return row?.settings;
    });
    expect(settings).toMatchObject({ presence: "word" });
    expect(Object.keys(settings ?? {})).not.toContain("presence_key");
    expect(await version()).toEqual({ version: (before?.version ?? 0) + 1, presence: "word" });
    await expect(ask("gps")).rejects.toMatchObject({ code: "23514" });
    const page = await database.sql<{ presence: string | null }[]>`
      select public.campaign_page(${campaign.slug}) ->> 'presence' as presence`;
    expect(page).toEqual([{ presence: "word" }]);
    await ask(null);
    expect(await version()).toEqual(before);
  });
});
