import { randomUUID } from "node:crypto";
import postgres, { type TransactionSql } from "postgres";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CodeLookup, codeLookup, spinResult } from "#domain/schemas/journey.ts";
import { setUpTestDatabase, undone } from "../../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  createUser,
  drawWheel,
  type Organization,
  ROLES,
} from "../../harness/fixtures.ts";
import { redeem, spin } from "../../harness/journey.ts";
import { everythingStored } from "../support/stored.ts";
import { whole } from "../support/whole.ts";

/** A code at the till: worth one prize, once, at its store, to its merchant's staff. */

const database = setUpTestDatabase();
let ours: Organization;
let theirs: Organization;
let campaign: Campaign;

beforeAll(async () => {
  ours = await createOrganization(database.sql);
  theirs = await createOrganization(database.sql);
  campaign = await winningCampaign(ours);
});

async function winningCampaign({ id: orgId, storeId }: Organization): Promise<Campaign> {
  const made = await createCampaign(database.sql, { orgId, storeId });
  const rewardId = await createReward(database.sql, made, { name: "Café offert" });
  await drawWheel(database.sql, made, [{ weight: 100, rewardId }]);
  return made;
}

/** A new code of a campaign. */
async function win({ id: campaignId } = campaign, name = "Ana Petit"): Promise<string> {
  const { body } = await spin(database.sql, { campaignId, name });
  return spinResult.parse(JSON.parse(body ?? "null")).redemption_code ?? "";
}

/** Answer that the till shows when it uses a code. */
async function use(
  code: string,
  userId = ours.users.cashier.id,
  storeId = ours.storeId,
  requestId: string | null = null,
) {
  const [row] = await database.sql<{ outcome: string; body: CodeLookup }[]>`
    select outcome, body from public.redeem_code(${userId}, ${userId}, 'aal1', ${code}, ${storeId}, ${requestId})`;
  if (row === undefined) throw new Error("redeem_code answered nothing.");
  return row;
}

/**
 * Answer that the till shows when it only looks; a member calls the function through the data API.
 */
async function look(code: string, userId = ours.users.cashier.id, storeId = ours.storeId) {
  return database.as({ userId }, async (sql) => {
    const [row] = await sql<{ found: unknown }[]>`
      select public.lookup_code(${code}, ${storeId}) as found`;
    return whole(codeLookup, row?.found);
  });
}

async function errorCode(run: Promise<unknown>): Promise<string> {
  const error: unknown = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof postgres.PostgresError
    ? `${error.code} ${error.constraint_name ?? ""}`.trim()
    : "none";
}

describe("a code", () => {
  it("is shown, then used once, with the name of who used it", async () => {
    const { sql } = database;
    const code = await win();
    const shown = {
      code,
      reward: { id: expect.any(String), name: "Café offert", type: "gift" },
      customer: { name: "Ana Petit" },
      store: { id: ours.storeId, name: expect.any(String) },
    };
    expect(await look(code)).toEqual({
      ...shown,
      state: "available",
      expires_at: expect.any(String),
      used_at: null,
      used_by: null,
      undo_id: null,
    });
    // Other tests here use codes of the same campaign.
    const counted = async () => {
      const [sum] = await sql<{ redemptions: number }[]>`
        select coalesce(sum(d.redemptions), 0)::integer as redemptions from public.campaign_daily_stats d
        join public.redemptions r on r.campaign_id = d.campaign_id where r.code = ${code}`;
      return sum?.redemptions ?? 0;
    };
    const countedBefore = await counted();
    const first = await use(code);
    expect(first.outcome).toBe("redeemed");
    const used = { used_at: expect.any(String), used_by: "Camille Martin" };
    expect(first.body).toMatchObject({ ...shown, ...used });

    const before = await everythingStored(sql);
    const second = await use(code, ours.users.owner.id);
    expect(second.outcome).toBe("used");
    expect(second.body).toEqual({ ...first.body, state: "used" });
    expect(await look(code)).toEqual({ ...second.body });
    expect(await everythingStored(sql)).toEqual(before);

    const [row] = await sql`
      select r.status, r.used_by, r.used_store_id, e.action, e.user_id, e.store_id
      from public.redemptions r
      join public.redemption_events e on e.org_id = r.org_id and e.redemption_id = r.id
      where r.code = ${code}`;
    expect(row).toEqual({
      status: "used",
      used_by: ours.users.cashier.id,
      used_store_id: ours.storeId,
      action: "used",
      user_id: ours.users.cashier.id,
      store_id: ours.storeId,
    });
    expect(await counted()).toBe(countedBefore + 1);
  });

  it("says for ten minutes how its use is taken back, at its own till alone", async () => {
    const { sql } = database;
    const code = await win();
    const { body } = await use(code);
    const [row] = await sql<{ id: string }[]>`
      select id from public.redemptions where code = ${code}`;
    expect(body.undo_id).toBe(row?.id);
    expect((await look(code)).undo_id).toBe(row?.id);
    const storeId = await createStore(sql, { orgId: ours.id, name: "Annexe" });
    expect((await look(code, ours.users.cashier.id, storeId)).undo_id).toBeNull();
    expect((await look(code, theirs.users.cashier.id, theirs.storeId)).undo_id).toBeNull();
    await sql`
      update public.redemptions set used_at = now() - interval '10 minutes' where code = ${code}`;
    expect(await look(code)).toMatchObject({ state: "used", undo_id: null });
  });

  it("is found whatever its case, spaces and signs", async () => {
    for (const spell of [
      (code: string) => code.toLowerCase(),
      (code: string) => ` ${code.slice(0, 3)} ${code.slice(3, 7)}-${code.slice(7)} `,
      (code: string) => [...code].join("."),
    ]) {
      expect((await use(spell(await win()))).outcome).toBe("redeemed");
    }
  });

  it.each(ROLES)("is used by whoever works there: %s", async (role) => {
    expect((await use(await win(), ours.users[role].id)).outcome).toBe("redeemed");
  });

  it("that has expired stays unused", async () => {
    const code = await win();
    await database.sql`
      update public.redemptions set expires_at = now() - interval '1 second' where code = ${code}`;
    const before = await everythingStored(database.sql);
    const { outcome, body } = await use(code);
    expect(outcome).toBe("expired");
    expect(body.expires_at).toEqual(expect.any(String));
    expect((await look(code)).state).toBe("expired");
    expect(await everythingStored(database.sql)).toEqual(before);

    await database.sql`update public.redemptions set status = 'expired' where code = ${code}`;
    expect((await use(code)).outcome).toBe("expired");
  });

  it("of another store of ours says which", async () => {
    const { sql } = database;
    const storeId = await createStore(sql, { orgId: ours.id, name: "Autre magasin" });
    const code = await win();
    const before = await everythingStored(sql);
    const { outcome, body } = await use(code, ours.users.cashier.id, storeId);
    expect(outcome).toBe("other_store");
    expect(body.store?.id).toBe(ours.storeId);
    expect((await look(code, ours.users.cashier.id, storeId)).state).toBe("other_store");
    expect(await everythingStored(sql)).toEqual(before);
  });

  it("of a store that was put away is good at any other of ours, and at nobody else's", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const made = await createCampaign(sql, { orgId: org.id, storeId: org.storeId });
    const rewardId = await createReward(sql, made);
    await drawWheel(sql, made, [{ weight: 100, rewardId }]);
    const elsewhere = await createStore(sql, { orgId: org.id, name: "Autre magasin" });
    const { body: won } = await spin(sql, { campaignId: made.id });
    const code: string = JSON.parse(won ?? "{}").redemption_code;
    const { cashier } = org.users;
    // A cashier who works at one till alone has no other to send the customer to.
    await sql`
      update public.organization_members set store_id = ${elsewhere} where user_id = ${cashier.id}`;
    expect((await use(code, cashier.id, elsewhere)).outcome).toBe("other_store");
    await sql`update public.stores set archived_at = now() where id = ${org.storeId}`;
    const before = await everythingStored(sql);
    expect((await look(code, cashier.id, elsewhere)).state).toBe("available");
    expect((await use(code)).outcome).toBe("unknown");
    expect(await everythingStored(sql)).toEqual(before);
    const { outcome, body } = await use(code, cashier.id, elsewhere);
    expect(outcome).toBe("redeemed");
    expect(body.store?.id).toBe(org.storeId);
    expect((await use(code, cashier.id, elsewhere)).outcome).toBe("used");
    const [row] = await sql`
      select r.used_store_id, (select sum(d.redemptions)::int from public.campaign_daily_stats d
        where d.org_id = r.org_id and d.store_id = r.store_id) as counted
      from public.redemptions r where r.org_id = ${org.id} and r.code = ${code}`;
    expect(row).toEqual({ used_store_id: elsewhere, counted: 1 });
  });

  it("is not taken at a till that was left open in a store that was put away, be it a prize or points", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const { cashier } = org.users;
    const elsewhere = await createStore(sql, { orgId: org.id, name: "Autre magasin" });
    const code = await win(await winningCampaign(org));
    await sql`
      update public.campaigns set active = false where org_id = ${org.id}`;
    await sql`update public.stores set archived_at = now() where id = ${org.storeId}`;
    const before = await everythingStored(sql);
    expect(await errorCode(look(code, cashier.id, org.storeId))).toBe("42501");
    expect(await errorCode(look("WINAAAA2222", cashier.id, org.storeId))).toBe("42501");
    expect((await use(code, cashier.id, org.storeId)).outcome).toBe("forbidden");
    expect(await everythingStored(sql)).toEqual(before);
    expect((await use(code, cashier.id, elsewhere)).outcome).toBe("redeemed");
    await sql`update public.stores set archived_at = null where id = ${org.storeId}`;
    expect((await look(code, cashier.id, org.storeId)).state).toBe("used");
  });

  it("that does not exist is unknown", async () => {
    for (const code of ["WINAAAA2222", "", "   ", "%", "' or 1=1 --", "é".repeat(30)]) {
      const { outcome, body } = await use(code);
      expect(outcome).toBe("unknown");
      expect(body).toEqual({
        state: "unknown",
        code,
        reward: null,
        customer: null,
        store: null,
        expires_at: null,
        used_at: null,
        used_by: null,
        undo_id: null,
      });
    }
  });

  it("of the test mode is named as such, unless it is a real one", async () => {
    expect((await use("TEST-ABCD2345")).outcome).toBe("test");
    expect((await look("test abcd2345")).state).toBe("test");
    // « T-{random} » may begin like a test code by chance; it is a prize all the same.
    const code = await win();
    await database.sql`update public.redemptions set code = 'T-ESTABCD2' where code = ${code}`;
    expect((await use("TESTABCD2")).outcome).toBe("redeemed");
  });

  it("keeps the reward's name of the day when it was won", async () => {
    const other = await winningCampaign(ours);
    const code = await win(other);
    await database.sql`update public.rewards set name = 'Thé', archived_at = now() where campaign_id = ${other.id}`;
    expect((await use(code)).body.reward?.name).toBe("Café offert");
  });

  it("is nobody's who was erased, and still a prize", async () => {
    const code = await win(campaign, "Partie");
    await database.sql`delete from public.customers where name = 'Partie'`;
    expect((await use(code)).outcome).toBe("redeemed");
  });
});

describe("a redemption that is asked for again", () => {
  const cashier = () => ours.users.cashier.id;
  const owner = () => ours.users.owner.id;

  it("is answered as the first time to who asks with its identifier, and made once", async () => {
    const { sql } = database;
    const code = await win();
    const request = randomUUID();
    const first = await use(code, cashier(), ours.storeId, request);
    expect(first.outcome).toBe("redeemed");
    const before = await everythingStored(sql);
    expect(await use(` ${code.toLowerCase()}`, cashier(), ours.storeId, request)).toEqual(first);
    expect(await everythingStored(sql)).toEqual(before);
  });

  it("is made once when both come at once, and answered to both", async () => {
    const code = await win();
    const request = randomUUID();
    const again = () => use(code, cashier(), ours.storeId, request);
    const [one, other] = await Promise.all([again(), again()]);
    expect([one?.outcome, other]).toEqual(["redeemed", one]);
    const [row] = await database.sql`
      select count(*)::integer as uses from public.redemption_events e
      join public.redemptions r on r.org_id = e.org_id and r.id = e.redemption_id where r.code = ${code}`;
    expect(row).toEqual({ uses: 1 });
  });

  it("is « used » to anybody else, and with another identifier or none", async () => {
    const { sql } = database;
    const code = await win();
    const request = randomUUID();
    const { body } = await use(code, cashier(), ours.storeId, request);
    const before = await everythingStored(sql);
    const others: [string, string | null][] = [
      [cashier(), randomUUID()],
      [cashier(), null],
      [owner(), request],
    ];
    for (const [userId, requestId] of others) {
      const answer = await use(code, userId, ours.storeId, requestId);
      expect(answer).toEqual({ outcome: "used", body: { ...body, state: "used" } });
    }
    const nobody = await use(code, theirs.users.cashier.id, theirs.storeId, request);
    expect(nobody.outcome).toBe("unknown");
    expect(await everythingStored(sql)).toEqual(before);

    // Without an identifier two requests are two, though neither names one.
    const unnamed = await win();
    expect((await use(unnamed)).outcome).toBe("redeemed");
    expect((await use(unnamed)).outcome).toBe("used");
  });

  it("is « used » at another store", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const made = await winningCampaign(org);
    const elsewhere = [
      await createStore(sql, { orgId: org.id }),
      await createStore(sql, { orgId: org.id }),
    ];
    const code = await win(made);
    // Only a code whose own store was put away is good at two.
    await sql`update public.stores set archived_at = now() where id = ${org.storeId}`;
    const request = randomUUID();
    const outcomes = [];
    for (const storeId of [...elsewhere, ...elsewhere]) {
      outcomes.push((await use(code, org.users.owner.id, storeId, request)).outcome);
    }
    expect(outcomes).toEqual(["redeemed", "used", "redeemed", "used"]);
  });

  it("is a new one after it was taken back, and not its own once somebody else used the code", async () => {
    const code = await win();
    const request = randomUUID();
    const again = () => use(code, cashier(), ours.storeId, request);
    const takeBack = async (id: string | null) =>
      database.as({ userId: cashier() }, (sql) => sql`select public.restore_code(${id})`);
    const { body } = await again();
    await takeBack(body.undo_id);
    expect((await look(code)).state).toBe("available");
    expect((await again()).outcome).toBe("redeemed");
    expect((await again()).outcome).toBe("redeemed");
    await takeBack(body.undo_id);
    expect((await use(code, owner())).outcome).toBe("redeemed");
    expect((await again()).outcome).toBe("used");
    const trace = await database.sql`
      select e.action from public.redemption_events e
      join public.redemptions r on r.org_id = e.org_id and r.id = e.redemption_id
      where r.code = ${code} order by e.created_at, e.id`;
    expect(trace.map(({ action }) => action)).toEqual([
      "used",
      "restored",
      "used",
      "restored",
      "used",
    ]);
  });
});

describe("another merchant's code", () => {
  it("is answered exactly like one that does not exist", async () => {
    const { sql } = database;
    const elsewhere = await winningCampaign(theirs);
    const [available, used, expired] = [
      await win(elsewhere),
      await win(elsewhere),
      await win(elsewhere),
    ];
    await redeem(sql, { userId: theirs.users.owner.id, code: used, storeId: theirs.storeId });
    await sql`update public.redemptions set expires_at = now() where code = ${expired}`;
    const before = await everythingStored(sql);
    const nothing = await use("WINZZZZ9999");
    const nothingSeen = await look("WINZZZZ9999");
    for (const code of [available, used, expired]) {
      const { outcome, body } = await use(code);
      expect(outcome).toBe(nothing.outcome);
      expect(JSON.stringify(body)).toBe(JSON.stringify(nothing.body).replace("WINZZZZ9999", code));
      expect(await look(code)).toEqual({ ...nothingSeen, code });
    }
    expect(await everythingStored(sql)).toEqual(before);
  });

  it("may be spelled like ours: each till uses its own", async () => {
    const { sql } = database;
    const elsewhere = await winningCampaign(theirs);
    const code = "MEME-CODE-2";
    for (const [made, where] of [
      [await win(), ours.id],
      [await win(elsewhere), theirs.id],
    ] as const) {
      await sql`update public.redemptions set code = ${code} where code = ${made} and org_id = ${where}`;
    }
    const { id } = theirs.users.cashier;
    expect((await use(code)).outcome).toBe("redeemed");
    expect((await look(code, id, theirs.storeId)).state).toBe("available");
    expect((await use(code, id, theirs.storeId)).outcome).toBe("redeemed");
    expect((await use(code)).outcome).toBe("used");
  });
});

describe("whoever does not work there", () => {
  it("uses nothing and sees nothing", async () => {
    const { sql } = database;
    const code = await win();
    const nobody = await createUser(sql);
    const gone = await createUser(sql);
    await sql`
      insert into public.organization_members (org_id, user_id, role) values (${ours.id}, ${gone.id}, 'owner')`;
    await sql`delete from public.organization_members where user_id = ${gone.id}`;
    const unknownStore = "00000000-0000-4000-8000-00000000ffff";
    const before = await everythingStored(sql);
    for (const [userId, storeId] of [
      [nobody.id, ours.storeId],
      [gone.id, ours.storeId],
      [theirs.users.owner.id, ours.storeId],
      [ours.users.owner.id, theirs.storeId],
      [ours.users.owner.id, unknownStore],
    ] as const) {
      const { outcome, body } = await use(code, userId, storeId);
      expect(outcome).toBe("forbidden");
      expect(body).toMatchObject({ reward: null, customer: null, store: null });
      expect(await errorCode(look(code, userId, storeId))).toBe("42501");
    }
    expect(await everythingStored(sql)).toEqual(before);
  });

  it("is whoever lost the right to redeem codes", async () => {
    const code = await win();
    await undone(database.sql, async (sql) => {
      await sql`delete from public.role_permissions where role = 'cashier' and permission = 'codes.redeem'`;
      const till = { userId: ours.users.cashier.id, code, storeId: ours.storeId };
      expect(await redeem(sql, till)).toBe("forbidden");
      expect(await redeem(sql, { ...till, userId: ours.users.member.id })).toBe("redeemed");
    });
  });
});

it("whoever tries codes at random is slowed down after 120 in a minute", async () => {
  const code = await win();
  // In one transaction time stands still: no new minute begins in the middle.
  await undone(database.sql, async (sql) => {
    const { users, storeId } = ours;
    const { id: userId } = await createUser(sql);
    await sql`
      insert into public.organization_members (org_id, user_id, role) values (${ours.id}, ${userId}, 'cashier')`;
    const till = { userId, storeId };
    for (let n = 0; n < 120; n++) {
      expect(await redeem(sql, { ...till, code: `WINAAAA${2000 + n}` })).toBe("unknown");
    }
    expect(await redeem(sql, { ...till, code })).toBe("too_many_attempts");
    expect(await redeem(sql, { userId: users.cashier.id, storeId, code })).toBe("redeemed");
  });
});

describe("the state of a code", () => {
  const STATES = ["available", "used", "expired"] as const;
  type State = (typeof STATES)[number];

  let code: string;

  beforeEach(async () => {
    code = await win();
  });

  /** Puts a code into a state, past the trigger. */
  async function put(sql: TransactionSql, state: State, usedMinutes: number, isOver: boolean) {
    await sql`set local session_replication_role = replica`;
    await sql`
      update public.redemptions set status = ${state},
        used_at = case when ${state} = 'used' then now() - make_interval(mins => ${usedMinutes}) end,
        expires_at = now() + make_interval(mins => ${isOver ? -1 : 60})
      where code = ${code}`;
    await sql`set local session_replication_role = origin`;
  }

  async function move(
    from: State,
    to: State,
    usedMinutes: number,
    isOver: boolean,
  ): Promise<string> {
    return undone(database.sql, async (sql) => {
      await put(sql, from, usedMinutes, isOver);
      return errorCode(
        sql`
          update public.redemptions set status = ${to}, used_at = case when ${to} = 'used' then now() end
          where code = ${code}`,
      );
    });
  }

  const ALLOWED = new Set(["available → used", "used → available", "available → expired"]);

  it.each(
    STATES.flatMap((from) => STATES.filter((to) => to !== from).map((to) => [from, to] as const)),
  )("%s → %s: by staff, by undoing within 10 minutes, by time, or not at all", async (from, to) => {
    const refused = "23514 redemptions_status_transition";
    const step = `${from} → ${to}`;
    const outcome = (minutes: number, isOver: boolean) => move(from, to, minutes, isOver);
    expect(await outcome(1, true)).toBe(ALLOWED.has(step) ? "none" : refused);
    // Time expires nothing before its day; nothing is undone after ten minutes.
    expect(await outcome(1, false)).toBe(ALLOWED.has(step) && to !== "expired" ? "none" : refused);
    expect(await outcome(11, true)).toBe(ALLOWED.has(step) && from !== "used" ? "none" : refused);
  });

  it("is used with a moment, or not at all", async () => {
    expect(
      await errorCode(
        database.sql`update public.redemptions set status = 'used' where code = ${code}`,
      ),
    ).toMatch(/^23514 redemptions_/);
    expect(
      await errorCode(
        database.sql`update public.redemptions set used_at = now() where code = ${code}`,
      ),
    ).toMatch(/^23514 redemptions_/);
  });
});
