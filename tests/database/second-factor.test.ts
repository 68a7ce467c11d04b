import postgres, { type TransactionSql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type Caller,
  createTestDatabase,
  type TestDatabase,
  type UserCaller,
  undone,
} from "../harness/database.ts";
import {
  createCampaign,
  createFactor,
  createOrganization,
  createPasskey,
  createReward,
  createSession,
  createUser,
  drawWheel,
  type Organization,
  type User,
} from "../harness/fixtures.ts";
import { redeem, spin } from "../harness/journey.ts";
import { fingerprint, readTables } from "./attempts.ts";
import { isClosed, TABLES } from "./expectations.ts";

/**
 * The database acts for nobody whose session was ended. Nor does it for somebody with a second factor whose session has
 * not used it, whichever way the token comes in. Recovery codes and the list of sessions.
 */

let database: TestDatabase;
let ours: Organization;
let code: string;

/** Tables that belong to somebody: all of the API but those that say the same to everybody. */
const TENANT_TABLES = Object.entries(TABLES)
  .filter(([, { tenantColumn }]) => tenantColumn !== null)
  .map(([name, expectation]) => ({ name, expectation }));

beforeAll(async () => {
  database = await createTestDatabase();
});

beforeEach(async () => {
  const { sql } = database;
  ours = await createOrganization(sql);
  const campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
  const rewardId = await createReward(sql, campaign);
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
  await spin(sql, { campaignId: campaign.id, name: "Ana Petit" });
  const [won] = await sql<{ code: string }[]>`
    select code from public.redemptions where org_id = ${ours.id}`;
  code = won?.code ?? "";
});

afterAll(() => database.drop());

/** SQLSTATE with which something fails; « fine » when it does not. */
async function verdict(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => "fine",
    (error: unknown) => {
      if (error instanceof postgres.PostgresError) return error.code;
      throw error;
    },
  );
}

/** A session of a user in which the second factor was used. */
async function strongCaller(user: User): Promise<Caller> {
  const sessionId = await createSession(database.sql, user, { aal: "aal2" });
  return { userId: user.id, sessionId, aal: "aal2" };
}

/** Ways in which a token is not enough, and the SQLSTATE that says so. */
const TOKENS: {
  token: string;
  sqlstate: string;
  outcome: string;
  callerOf: (user: User) => Promise<UserCaller>;
}[] = [
  {
    token: "a password alone, of a user with a second factor",
    sqlstate: "TV010",
    outcome: "second_factor_required",
    callerOf: async (user) => {
      await createFactor(database.sql, user);
      return { userId: user.id };
    },
  },
  {
    token: "a password alone, from before the second factor was used in that session",
    sqlstate: "TV010",
    outcome: "second_factor_required",
    callerOf: async (user) => {
      await createFactor(database.sql, user);
      const sessionId = await createSession(database.sql, user, { aal: "aal2" });
      return { userId: user.id, sessionId, aal: "aal1" };
    },
  },
  {
    token: "a second factor that has been taken from the session since",
    sqlstate: "TV010",
    outcome: "second_factor_required",
    callerOf: async (user) => {
      await createFactor(database.sql, user);
      const sessionId = await createSession(database.sql, user, { aal: "aal1" });
      return { userId: user.id, sessionId, aal: "aal2" };
    },
  },
  {
    token: "a session that was ended",
    sqlstate: "TV011",
    outcome: "session_ended",
    callerOf: async (user) => {
      await database.sql`delete from auth.sessions where user_id = ${user.id}`;
      return { userId: user.id };
    },
  },
  {
    token: "a session whose time is over",
    sqlstate: "TV011",
    outcome: "session_ended",
    callerOf: async (user) => {
      await database.sql`
        update auth.sessions set not_after = now() - interval '1 second' where user_id = ${user.id}`;
      return { userId: user.id };
    },
  },
  {
    token: "a session of somebody else",
    sqlstate: "TV011",
    outcome: "session_ended",
    callerOf: async (user) => {
      const other = await createUser(database.sql);
      return { userId: user.id, sessionId: other.id };
    },
  },
];

describe.each(TOKENS)("with $token", ({ sqlstate, outcome, callerOf }) => {
  let caller: UserCaller;
  let before: string[];

  beforeEach(async () => {
    caller = await callerOf(ours.users.owner);
    before = await fingerprint(database.sql, await readTables(database.sql));
  });

  async function refused(run: (sql: TransactionSql) => Promise<unknown>) {
    expect(await verdict(database.as(caller, run))).toBe(sqlstate);
  }

  it("no row of any table is read or written", async () => {
    for (const { name, expectation } of TENANT_TABLES) {
      const read = (sql: TransactionSql) => sql.unsafe(`select 1 from ${name} limit 1`);
      // A table that functions alone read is refused before anybody asks for the session.
      if (isClosed(expectation)) expect(await verdict(database.as(caller, read))).toBe("42501");
      else await refused(read);
      if (expectation.update) {
        const { column, value } = expectation.update;
        await refused((sql) => sql.unsafe(`update ${name} set ${column} = ${value}`));
      }
      if (expectation.delete) await refused((sql) => sql.unsafe(`delete from ${name}`));
    }
    expect(await fingerprint(database.sql, await readTables(database.sql))).toEqual(before);
  });

  it("no row is added", async () => {
    await refused(
      (sql) => sql`
        insert into public.stores (org_id, name, slug, address, review_mode)
        values (${ours.id}, 'Annexe', 'annexe', '2 rue de la Paix', 'compliant')`,
    );
    await refused(
      (sql) => sql`select public.save_notifications(${ours.id}, true, false, true, 'daily')`,
    );
    expect(await fingerprint(database.sql, await readTables(database.sql))).toEqual(before);
  });

  it("no function answers", async () => {
    await refused((sql) => sql`select public.my_workspace()`);
    await refused((sql) => sql`select public.lookup_code(${code}, ${ours.storeId})`);
    await refused((sql) => sql`select public.create_recovery_codes()`);
    await refused((sql) => sql`select * from public.my_sessions()`);
    await refused((sql) => sql`select public.end_session(${ours.users.owner.id})`);
    expect(await fingerprint(database.sql, await readTables(database.sql))).toEqual(before);
  });

  it("no code is used at the till", async () => {
    const { userId, sessionId = userId, aal = "aal1" } = caller;
    const [row] = await database.sql`
      select outcome, body from public.redeem_code(
        ${userId}, ${sessionId}, ${aal}, ${code}, ${ours.storeId})`;
    expect(row).toEqual({ outcome, body: null });
    expect(await fingerprint(database.sql, await readTables(database.sql))).toEqual(before);
  });
});

describe("a user is served", () => {
  it("without a second factor, and with one that is not set up to its end", async () => {
    const { owner } = ours.users;
    await createFactor(database.sql, owner, { status: "unverified" });
    expect(
      await verdict(database.as({ userId: owner.id }, (sql) => sql`select public.my_workspace()`)),
    ).toBe("fine");
  });

  it("with a second factor once it was used in the session", async () => {
    const { owner } = ours.users;
    await createFactor(database.sql, owner);
    const caller = await strongCaller(owner);
    const rows = await database.as(caller, (sql) => sql`select id from public.stores`);
    expect(rows.map(({ id }) => id)).toEqual([ours.storeId]);
  });

  it("and a colleague's second factor is the colleague's business", async () => {
    await createFactor(database.sql, ours.users.owner);
    const { cashier } = ours.users;
    expect(await redeem(database.sql, { userId: cashier.id, code, storeId: ours.storeId })).toBe(
      "redeemed",
    );
  });
});

describe("a token without a session, which the platform never issues", () => {
  it("opens nothing", async () => {
    const { owner } = ours.users;
    const claims = JSON.stringify({ sub: owner.id, role: "authenticated" });
    const attempt = undone(
      database.sql,
      (sql) => sql`
        select set_config('request.jwt.claim.sub', ${owner.id}, true),
          set_config('request.jwt.claims', ${claims}, true), public.my_workspace()`,
    );
    expect(await verdict(attempt)).toBe("TV011");
  });
});

describe("recovery codes", () => {
  let owner: User;
  let strong: Caller;
  let codes: string[];

  beforeEach(async () => {
    owner = ours.users.owner;
    await createFactor(database.sql, owner);
    strong = await strongCaller(owner);
    codes = await newCodes(strong);
  });

  async function newCodes(caller: Caller): Promise<string[]> {
    const [row] = await database.as(
      caller,
      (sql) => sql<{ codes: string[] }[]>`select public.create_recovery_codes() as codes`,
    );
    return row?.codes ?? [];
  }

  function use(text: string, caller: Caller = { userId: owner.id }) {
    return database.as(caller, async (sql) => {
      const [row] = await sql<{ outcome: string; retry_after: number | null }[]>`
        select outcome, retry_after from public.use_recovery_code(${text})`;
      return row;
    });
  }

  async function factors(): Promise<number> {
    return (await database.sql`select from auth.mfa_factors where user_id = ${owner.id}`).length;
  }

  async function left(): Promise<number> {
    const [row] = await database.as(
      { userId: owner.id },
      (sql) => sql<{ count: number }[]>`select public.count_recovery_codes() as count`,
    );
    return row?.count ?? -1;
  }

  it("are ten different ones of 140 random bits, stored as hashes only", async () => {
    expect(new Set(codes).size).toBe(10);
    for (const text of codes) expect(text).toMatch(/^([A-HJ-NP-Z2-9]{4}-){6}[A-HJ-NP-Z2-9]{4}$/);
    const [row] = await database.sql<{ stored: string }[]>`
      select string_agg(r::text, ' ') as stored from private.recovery_codes r`;
    for (const text of codes) expect(row?.stored).not.toContain(text.replaceAll("-", ""));
    expect(await left()).toBe(10);
  });

  it("are not made without the second factor, nor by somebody who has none", async () => {
    expect(await verdict(newCodes({ userId: owner.id }))).toBe("TV010");
    expect(await verdict(newCodes({ userId: ours.users.admin.id }))).toBe("TV010");
    await createFactor(database.sql, ours.users.admin, { status: "unverified" });
    expect(await verdict(newCodes({ userId: ours.users.admin.id }))).toBe("TV010");
    expect(await left()).toBe(10);
  });

  it("replace those before", async () => {
    const fresh = await newCodes(strong);
    expect(await use(codes[0] ?? "")).toEqual({ outcome: "unknown", retry_after: null });
    expect(await factors()).toBe(1);
    expect(await use(fresh[0] ?? "")).toMatchObject({ outcome: "recovered" });
  });

  it("remove the lost factor, all other codes and all other sessions, with a trace and a mail", async () => {
    await createPasskey(database.sql, owner);
    expect(await use(` ${codes[3]?.toLowerCase().replaceAll("-", " ")} `)).toEqual({
      outcome: "recovered",
      retry_after: null,
    });
    expect(await factors()).toBe(0);
    expect(await left()).toBe(0);
    const sessions = await database.sql`
      select id, aal from auth.sessions where user_id = ${owner.id}`;
    expect([...sessions]).toEqual([{ id: owner.id, aal: "aal1" }]);
    expect(
      await verdict(database.as({ userId: owner.id }, (sql) => sql`select public.my_workspace()`)),
    ).toBe("fine");
    const events = await database.sql`
      select event, session_id from private.account_events where user_id = ${owner.id} order by id`;
    expect(events.slice(-2)).toEqual([
      { event: "passkey_removed", session_id: null },
      { event: "recovery_code_used", session_id: owner.id },
    ]);
    const mails = await database.sql`
      select template from private.outbox where recipient = ${owner.email} order by template`;
    expect([...mails]).toEqual([{ template: "factor_removed" }, { template: "passkey_removed" }]);
    const passkeys = await database.sql`
      select from auth.webauthn_credentials where user_id = ${owner.id}`;
    expect(passkeys).toHaveLength(0);
  });

  it("of 80 bits, from before, serve as well", async () => {
    await database.sql`
      insert into private.recovery_codes (user_id, code_hash)
      values (${owner.id}, private.recovery_code_hash(${owner.id}, 'ABCD-EFGH-JKLM-NPQR'))`;
    expect(await use("abcd efgh jklm npqr")).toMatchObject({ outcome: "recovered" });
  });

  it("that are refused leave a trace", async () => {
    expect(await use("AAAA-BBBB")).toMatchObject({ outcome: "unknown" });
    const [last] = await database.sql`
      select event, session_id from private.account_events
      where user_id = ${owner.id} order by id desc limit 1`;
    expect(last).toEqual({ event: "recovery_code_refused", session_id: owner.id });
  });

  it("serve once, and only their owner", async () => {
    const [first = "", second = ""] = codes;
    expect(await use(first, { userId: ours.users.admin.id })).toMatchObject({ outcome: "unknown" });
    expect(await use(first)).toMatchObject({ outcome: "recovered" });
    await createFactor(database.sql, owner);
    expect(await use(first)).toMatchObject({ outcome: "unknown" });
    expect(await use(second)).toMatchObject({ outcome: "unknown" });
    expect(await factors()).toBe(1);
  });

  it("leave everybody else's codes, factors and sessions alone, and what else the session proved", async () => {
    const { sql } = database;
    const { admin } = ours.users;
    await createFactor(sql, admin);
    await newCodes(await strongCaller(admin));
    const claim = (sessionId: string, method: string) => sql`
      insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
      values (gen_random_uuid(), ${sessionId}, ${method}, now(), now())`;
    await claim(owner.id, "password");
    for (const id of [owner.id, admin.id]) await claim(id, "totp");
    const theirs = () => sql`
      select (select count(*)::integer from private.recovery_codes c where c.user_id = u.id) as codes,
        (select count(*)::integer from auth.mfa_factors f where f.user_id = u.id) as factors,
        (select count(*)::integer from auth.sessions s where s.user_id = u.id) as sessions,
        (select count(*)::integer from auth.sessions s where s.user_id = u.id and s.aal = 'aal2') as strong
      from auth.users u where u.id = ${admin.id}`;
    const before = await theirs();
    expect([...before]).toEqual([{ codes: 10, factors: 1, sessions: 2, strong: 1 }]);

    const [fresh = ""] = await newCodes(strong);
    expect(await left()).toBe(10);
    expect(await use(fresh)).toMatchObject({ outcome: "recovered" });
    expect(await left()).toBe(0);
    expect(await theirs()).toEqual(before);
    const claims = await sql<{ whose: string }[]>`
      select (session_id = ${owner.id})::text || ' ' || authentication_method as whose
      from auth.mfa_amr_claims where session_id in (${owner.id}, ${admin.id}) order by 1`;
    expect(claims.map(({ whose }) => whose)).toEqual(["false totp", "true password"]);
    const [waits] = await sql`
      select o.expires_at = o.created_at + interval '1 day' as mail, (
        select l.expires_at = l.window_start + interval '15 minutes' from private.rate_limits l
        where l.key = ${`recovery code ${owner.id}`}) as attempts
      from private.outbox o where o.recipient = ${owner.email} and o.template = 'factor_removed'`;
    expect(waits).toEqual({ mail: true, attempts: true });
  });

  it("go with the last factor that is set up, and with no other's", async () => {
    const { sql } = database;
    const { admin } = ours.users;
    const factor = await createFactor(sql, admin);
    await newCodes(await strongCaller(admin));
    const drop = async () => {
      await sql`select private.drop_idle_recovery_codes(${admin.id})`;
      const [row] = await sql<{ count: number }[]>`
        select count(*)::integer as count from private.recovery_codes where user_id = ${admin.id}`;
      return row?.count;
    };
    expect(await drop()).toBe(10);
    await sql`update auth.mfa_factors set status = 'unverified' where id = ${factor}`;
    expect(await drop()).toBe(0);
    expect(await left()).toBe(10);
  });

  it("cannot be guessed: the sixth try in a quarter of an hour is not looked at", async () => {
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await use("AAAA-BBBB-CCCC-DDDD")).toMatchObject({ outcome: "unknown" });
    }
    const sixth = await use(codes[0] ?? "");
    expect(sixth?.outcome).toBe("too_many_attempts");
    expect(sixth?.retry_after).toBeGreaterThan(0);
    expect(sixth?.retry_after).toBeLessThanOrEqual(900);
    expect(await factors()).toBe(1);
    expect(await left()).toBe(10);
  });

  it("used twice at once count once", async () => {
    const answers = await Promise.all([use(codes[0] ?? ""), use(codes[1] ?? "")]);
    expect(answers.map((answer) => answer?.outcome).sort()).toEqual(["recovered", "unknown"]);
  });

  it("are made and used by one call at a time", async () => {
    await undone(database.sql, async (holder) => {
      await holder`select 1 from auth.users where id = ${owner.id} for no key update`;
      for (const call of ["public.create_recovery_codes()", "public.use_recovery_code('AAAA')"]) {
        const waiting = database.as(strong, async (sql) => {
          await sql`set local lock_timeout = '50ms'`;
          await sql.unsafe(`select ${call}`);
        });
        expect(await verdict(waiting)).toBe("55P03");
      }
    });
  });

  it("wait for nobody else's", async () => {
    await undone(database.sql, async (holder) => {
      await holder`select 1 from auth.users where id = ${ours.users.admin.id} for no key update`;
      const made = database.as(strong, async (sql) => {
        await sql`set local lock_timeout = '50ms'`;
        await sql`select public.create_recovery_codes()`;
      });
      expect(await verdict(made)).toBe("fine");
    });
  });

  it("made twice at once leave ten", async () => {
    await Promise.all([newCodes(strong), newCodes(strong), newCodes(strong)]);
    expect(await left()).toBe(10);
  });

  it("are worth nothing in a session that was ended", async () => {
    await database.sql`delete from auth.sessions where id = ${owner.id}`;
    expect(await verdict(use(codes[0] ?? ""))).toBe("TV011");
    expect(await verdict(left())).toBe("TV011");
    expect(await factors()).toBe(1);
  });
});

describe("sessions", () => {
  async function mine(user: User) {
    return database.as(
      { userId: user.id },
      (sql) =>
        sql<
          { id: string; last_seen_at: Date; user_agent: string; ip: string; is_current: boolean }[]
        >`select * from public.my_sessions()`,
    );
  }

  it("are listed with device and address, this one first", async () => {
    const { sql } = database;
    const user = await createUser(sql);
    const tablet = await createSession(sql, user);
    await sql`
      update auth.sessions set ip = '2001:db8:1:2:3:4:5:6', user_agent = 'Tablette',
        refreshed_at = '2030-02-03 04:05:06'
      where id = ${tablet}`;
    const till = await createSession(sql, user);
    await sql`update auth.sessions set ip = '192.0.2.7', user_agent = 'Caisse' where id = ${till}`;
    const over = await createSession(sql, user);
    await sql`update auth.sessions set not_after = now() where id = ${over}`;
    const sessions = await mine(user);
    expect(
      sessions.map(({ id, user_agent, ip, is_current }) => ({ id, user_agent, ip, is_current })),
    ).toEqual([
      { id: user.id, user_agent: null, ip: null, is_current: true },
      { id: tablet, user_agent: "Tablette", ip: "2001:db8:1:2::/64", is_current: false },
      { id: till, user_agent: "Caisse", ip: "192.0.2.7", is_current: false },
    ]);
    expect(sessions[1]?.last_seen_at).toEqual(new Date("2030-02-03T04:05:06Z"));
  });

  it("are ended by their user, at once and with a trace", async () => {
    const { sql } = database;
    const user = await createUser(sql);
    const lost = await createSession(sql, user);
    const onLost: Caller = { userId: user.id, sessionId: lost };
    expect(await verdict(database.as(onLost, (as) => as`select public.my_workspace()`))).toBe(
      "fine",
    );
    const [row] = await database.as(
      { userId: user.id },
      (as) => as`select public.end_session(${lost}) as ended`,
    );
    expect(row).toEqual({ ended: true });
    expect(await verdict(database.as(onLost, (as) => as`select public.my_workspace()`))).toBe(
      "TV011",
    );
    const events = await sql`
      select event, session_id from private.account_events where user_id = ${user.id}`;
    expect([...events]).toEqual([{ event: "session_ended", session_id: lost }]);
  });

  it("are ended after their user is locked, as by the authentication service", async () => {
    const { sql } = database;
    const user = await createUser(sql);
    const lost = await createSession(sql, user);
    let ending: Promise<unknown> = Promise.resolve();
    await sql.begin(async (service) => {
      await service`select from auth.users where id = ${user.id} for update`;
      ending = database.as({ userId: user.id }, (as) => as`select public.end_session(${lost})`);
      await isWaiting();
      // Held by nobody: whoever waits for the user has not taken the session yet.
      await service`select from auth.sessions where id = ${lost} for update nowait`;
    });
    await ending;
    expect(await mine(user)).toHaveLength(1);
  });

  /** Settles once a statement of this database waits for a lock. */
  async function isWaiting(): Promise<void> {
    for (;;) {
      const [row] = await database.sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      if (row) return;
    }
  }

  it("of others stay", async () => {
    const { owner, admin } = ours.users;
    const [row] = await database.as(
      { userId: owner.id },
      (as) => as`select public.end_session(${admin.id}) as ended`,
    );
    expect(row).toEqual({ ended: false });
    expect(await mine(admin)).toHaveLength(1);
    const events = await database.sql`
      select from private.account_events where user_id = ${owner.id}`;
    expect(events).toHaveLength(0);
  });
});

describe("a one-time password", () => {
  it("is accepted once, and none that is older than it", async () => {
    const { sql } = database;
    const factor = await createFactor(sql, await createUser(sql));
    const accept = async (step: number) => {
      const [row] = await database.as(
        "service_role",
        (as) => as`select private.accept_totp_step(${factor}, ${step}) as accepted`,
      );
      return row?.accepted;
    };
    expect(await accept(100)).toBe(true);
    expect(await accept(100)).toBe(false);
    expect(await accept(99)).toBe(false);
    expect(await accept(101)).toBe(true);
    const another = await createFactor(sql, await createUser(sql));
    const [row] = await sql`select private.accept_totp_step(${another}, 1) as accepted`;
    expect(row?.accepted).toBe(true);
    const both = await Promise.all([accept(102), accept(102)]);
    expect(both.toSorted()).toEqual([false, true]);
  });
});

describe("a hosted project, where the level of a session is an enumeration", () => {
  it("is served by the same functions", async () => {
    const hosted = await createTestDatabase();
    try {
      const { sql } = hosted;
      await sql.unsafe(`
        create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');
        alter table auth.sessions drop constraint sessions_aal_check;
        alter table auth.sessions alter column aal type auth.aal_level using aal::auth.aal_level`);
      const user = await createUser(sql);
      await createFactor(sql, user);
      const weak: Caller = { userId: user.id };
      const sessionId = await createSession(sql, user, { aal: "aal2" });
      const strong: Caller = { userId: user.id, sessionId, aal: "aal2" };
      expect(await verdict(hosted.as(weak, (as) => as`select public.my_workspace()`))).toBe(
        "TV010",
      );
      const [made] = await hosted.as(
        strong,
        (as) => as<{ codes: string[] }[]>`select public.create_recovery_codes() as codes`,
      );
      const listed = await hosted.as(strong, (as) => as`select * from public.my_sessions()`);
      expect(listed).toHaveLength(2);
      const [used] = await hosted.as(
        weak,
        (as) => as`select outcome from public.use_recovery_code(${made?.codes[0] ?? ""})`,
      );
      expect(used).toEqual({ outcome: "recovered" });
      expect(await verdict(hosted.as(weak, (as) => as`select public.my_workspace()`))).toBe("fine");
    } finally {
      await hosted.drop();
    }
  });
});

describe("traces of accounts", () => {
  it("go after 13 months", async () => {
    const { sql } = database;
    const user = await createUser(sql);
    await sql`
      insert into private.account_events (user_id, event, created_at) values
        (${user.id}, 'session_ended', now() - interval '13 months 1 day'),
        (${user.id}, 'session_ended', now() - interval '12 months')`;
    await sql`select private.sweep_account_events(100)`;
    const events = await sql`select from private.account_events where user_id = ${user.id}`;
    expect(events).toHaveLength(1);
  });
});
