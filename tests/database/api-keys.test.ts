import { randomUUID } from "node:crypto";
import postgres, { type TransactionSql } from "postgres";
import { afterAll, describe, expect, it } from "vitest";
import {
  API_REQUESTS_PER_MINUTE,
  API_SCOPE_PERMISSIONS,
  API_SCOPES,
  apiKeys,
  MAX_API_KEYS,
  newApiKey,
} from "#domain/schemas/api-keys.ts";
import { codeLookup } from "#domain/schemas/journey.ts";
import { hashOfKey } from "../../supabase/functions/_shared/http/api-key.ts";
import { secondsFromNow } from "../harness/clock.ts";
import { type Caller, createTestDatabase, undone } from "../harness/database.ts";
import {
  createApiKey,
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  drawWheel,
  giveRole,
} from "../harness/fixtures.ts";
import { spin } from "../harness/journey.ts";
import { createWorld, fingerprint, readFunctions, readTables } from "./attempts.ts";
import { CLOSED_SCHEMAS, FUNCTIONS, isClosed, TABLES } from "./expectations.ts";
import { untilWaiting } from "./support/waiting.ts";
import { whole } from "./support/whole.ts";

/**
 * Keys of the API before every table and function of the catalog: a reading key reads what a member reads and writes
 * nothing whatever it calls. A key for the till looks a code up and does nothing else.
 */

const database = await createTestDatabase();
const { sql } = database;
const world = await createWorld(database);
const { ours, theirs } = world;
const tables = await readTables(sql);
const functions = await readFunctions(sql);

afterAll(() => database.drop());

const reader: Caller = { apiKeyId: ours.keyIds.read };
const till: Caller = { apiKeyId: ours.keyIds.redeem };

/**
 * Tables that a key of the API never reads, whatever a member reads of them: people, and their
 * data.
 */
const NOT_FOR_KEYS = ["notification_preferences", "organization_members"];

/** Runs statements as a caller and commits them; answers the SQLSTATE of a refusal, else what they answer. */
async function attempt<T>(caller: Caller, run: (sql: TransactionSql) => Promise<T>) {
  return database.as(caller, run).catch((error: unknown) => {
    if (error instanceof postgres.PostgresError) return error.code;
    throw error;
  });
}

const count = (caller: Caller, name: string, where = "true") =>
  attempt(caller, async (transaction) => {
    const [row] = await transaction.unsafe<{ count: number }[]>(
      `select count(*)::integer as count from ${name} where ${where}`,
    );
    return row?.count ?? 0;
  });

const publicTables = tables.filter(({ schema }) => schema === "public");

describe("a reading key", () => {
  it("sees of every table what a member sees of it, and no row of anybody else", async () => {
    const member: Caller = { userId: ours.users.member.id };
    const seen: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const { name } of publicTables) {
      const stated = TABLES[name];
      const tenant = stated?.tenantColumn;
      seen[name] = await count(reader, name);
      expected[name] = NOT_FOR_KEYS.includes(name) ? 0 : await count(member, name);
      if (tenant) {
        const others = await count(reader, name, `${tenant} <> '${ours.id}'`);
        expect(others, `${name} of others`).toBe(isClosed(stated) ? "42501" : 0);
      }
    }
    expect(seen).toEqual(expected);
    expect(seen).toMatchObject({ customers: 1, spins: 3, subscriptions: 0, audit_events: 0 });
  });

  it("changes nothing, whatever it writes or calls", async () => {
    const before = await fingerprint(sql, tables);
    const answered: string[] = [];
    for (const { name, columns } of tables) {
      const column = columns.find(({ isGenerated }) => !isGenerated)?.name;
      for (const statement of [
        `insert into ${name} default values`,
        `update ${name} set ${column} = ${column}`,
        `delete from ${name}`,
      ]) {
        const outcome = await attempt(reader, (transaction) =>
          transaction.unsafe(statement).then(({ count: rows }) => `${rows} rows`),
        );
        if (!/^(42501|25006|428C9|0 rows)$/.test(outcome))
          answered.push(`${statement}: ${outcome}`);
      }
    }
    for (const { signature, nullCall } of functions) {
      const call = FUNCTIONS[signature]?.call?.(world) ?? nullCall;
      await attempt(reader, (transaction) => transaction.unsafe(call));
    }
    expect(answered).toEqual([]);
    expect(await fingerprint(sql, tables)).toEqual(before);
  });

  it("is stopped by PostgreSQL itself once it was asked for, whoever forgets to ask for a right", async () => {
    const outcome = await undone(sql, async (transaction) => {
      await transaction`
        create function public.forgetful() returns void language plpgsql security definer as $$
        begin
          perform private.my_user_id();
          update public.stores set name = 'Volé';
        end $$`;
      await transaction`grant execute on function public.forgetful() to authenticated`;
      await transaction`
        select set_config('request.jwt.claims', ${JSON.stringify({ api_key_id: ours.keyIds.read })}, true),
          set_config('role', 'authenticated', true)`;
      return transaction
        .savepoint((inner) => inner`select public.forgetful()`)
        .then(
          () => "done",
          (error: unknown) => (error instanceof postgres.PostgresError ? error.code : "?"),
        );
    });
    expect(outcome).toBe("25006");
  });

  it("is refused in one way for members of others and for nobody", async () => {
    const assign = (userId: string) =>
      attempt(
        reader,
        (transaction) => transaction`select public.assign_review(${randomUUID()}, ${userId})`,
      );
    expect(await assign(theirs.users.owner.id)).toBe(await assign(randomUUID()));
  });

  it("counts for no code of the till", async () => {
    expect(
      await attempt(
        reader,
        (transaction) => transaction`select public.lookup_code(${ours.code}, ${ours.storeId})`,
      ),
    ).toBe("42501");
  });
});

describe("a key for the till", () => {
  it("reads no table and calls no function but the one that looks a code up", async () => {
    const before = await fingerprint(sql, tables);
    const answered: string[] = [];
    for (const { name, schema, columns } of tables) {
      for (const statement of [
        `select from ${name}`,
        `insert into ${name} default values`,
        `update ${name} set ${columns[0]?.name} = null`,
        `delete from ${name}`,
      ]) {
        const outcome = await attempt(till, (transaction) => transaction.unsafe(statement));
        const isClosed = CLOSED_SCHEMAS.includes(schema) || schema === "public";
        if (isClosed && outcome !== "42501" && outcome !== "428C9") answered.push(statement);
      }
    }
    expect(answered).toEqual([]);

    const callable: string[] = [];
    for (const { signature, nullCall } of functions) {
      const call = FUNCTIONS[signature]?.call?.(world) ?? nullCall;
      const outcome = await attempt(till, (transaction) => transaction.unsafe(call));
      // TV011 is what asks for a session first, TV050 what wraps the refusal.
      if (!/^(42501|TV011|TV050)$/.test(String(outcome))) callable.push(signature);
    }
    const rule = "a function asks private.my_org_ids and refuses (42501) whom it has nothing for";
    expect(callable, rule).toEqual(["lookup_code(text, uuid)"]);
    const after = await fingerprint(sql, tables);
    // A look-up is counted for its till.
    const isCounter = (line: string) => line.startsWith("private.rate_limits");
    expect(after.filter((line) => !isCounter(line))).toEqual(
      before.filter((line) => !isCounter(line)),
    );
  });

  it("looks up codes of its organisation, at its store", async () => {
    const look = (caller: Caller, code: string, storeId: string) =>
      attempt(caller, async (transaction) => {
        const [row] = await transaction<{ answer: unknown }[]>`
          select public.lookup_code(${code}, ${storeId}) as answer`;
        return whole(codeLookup, row?.answer).state;
      });
    expect(await look(till, ours.code, ours.storeId)).toBe("available");
    expect(await look(till, theirs.code, ours.storeId)).toBe("unknown");
    expect(await look(till, theirs.code, theirs.storeId)).toBe("42501");
    const elsewhere = await createStore(sql, { orgId: ours.id });
    const bound = await createApiKey(sql, { orgId: ours.id, scope: "redeem", storeId: elsewhere });
    expect(await look({ apiKeyId: bound.id }, ours.code, ours.storeId)).toBe("42501");
    expect(await look({ apiKeyId: bound.id }, ours.code, elsewhere)).toBe("other_store");
  });

  it("takes no code at a store that was put away", async () => {
    const shop = await createOrganization(sql);
    const storeId = await createStore(sql, { orgId: shop.id });
    const { key } = await createApiKey(sql, { orgId: shop.id, scope: "redeem", storeId });
    const use = () => sql<{ outcome: string }[]>`
      select outcome from public.redeem_code_with_key(
        ${hashOfKey(key)}, 'address', 'WINAAAA2222', ${storeId})`;
    expect(await use()).toEqual([{ outcome: "unknown" }]);
    await sql`update public.stores set archived_at = now() where id = ${storeId}`;
    expect(await use()).toEqual([{ outcome: "forbidden" }]);
  });

  it("is named as who used a code, by its last use", async () => {
    const shop = await createOrganization(sql);
    const campaign = await createCampaign(sql, { orgId: shop.id, storeId: shop.storeId });
    const rewardId = await createReward(sql, campaign);
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    await spin(sql, { campaignId: campaign.id });
    const [won] = await sql<{ id: string; code: string }[]>`
      select id, code from public.redemptions where org_id = ${shop.id}`;
    for (let use = 1; use <= 2; use += 1) {
      const { id, key } = await createApiKey(sql, { orgId: shop.id, scope: "redeem" });
      const [named] = await sql`select name from private.api_keys where id = ${id}`;
      const [used] = await sql`
        select outcome, body ->> 'used_by' as name from public.redeem_code_with_key(
          ${hashOfKey(key)}, 'address', ${won?.code ?? ""}, ${shop.storeId})`;
      expect(used).toEqual({ outcome: "redeemed", name: named?.name });
      const cashier = { userId: shop.users.cashier.id };
      await database.as(cashier, (as) => as`select public.restore_code(${won?.id ?? ""})`);
    }
  });
});

describe("a key that does not count", () => {
  const refusalOf = (id: string) => attempt({ apiKeyId: id }, (s) => s`select from public.stores`);

  it.each([
    ["unknown", async () => randomUUID(), "TV110"],
    [
      "expired",
      async (orgId: string) =>
        (await createApiKey(sql, { orgId, expiresAt: secondsFromNow(-1) })).id,
      "TV110",
    ],
    [
      "taken back",
      async (orgId: string) => {
        const { id } = await createApiKey(sql, { orgId });
        await sql`update private.api_keys set revoked_at = now() where id = ${id}`;
        return id;
      },
      "TV110",
    ],
  ])("%s", async (_, make, expected) => {
    const { id: orgId } = await createOrganization(sql);
    expect(await refusalOf(await make(orgId))).toBe(expected);
  });

  it("closes with the plan and opens with the next one", async () => {
    const { id: orgId } = await createOrganization(sql);
    const { id, key } = await createApiKey(sql, { orgId });
    const begin = async () => {
      const [row] = await sql<{ outcome: string }[]>`
        select outcome from public.begin_api_request(${hashOfKey(key)}, null, 'ici')`;
      return row?.outcome;
    };
    expect(await begin()).toBe("accepted");
    const plans = [
      { plan: "basic", status: "active" },
      { plan: "pro", status: "canceled" },
      { plan: "pro", status: "suspended" },
    ];
    for (const { plan, status } of plans) {
      await sql`update public.subscriptions set plan = ${plan}, status = ${status} where org_id = ${orgId}`;
      expect(await refusalOf(id)).toBe("TV111");
      expect(await begin()).toBe("api_not_in_plan");
    }
    await sql`update public.subscriptions set plan = 'pro', status = 'active' where org_id = ${orgId}`;
    expect(await refusalOf(id)).toBeInstanceOf(Array);
    expect(await begin()).toBe("accepted");
  });

  it("closes with an organisation that waits to be erased or is suspended, says so, and is gone with it", async () => {
    const { id: orgId } = await createOrganization(sql);
    const { id, key } = await createApiKey(sql, { orgId });
    const begin = async () => {
      const [row] = await sql<{ outcome: string }[]>`
        select outcome from public.begin_api_request(${hashOfKey(key)}, null, 'ici')`;
      return row?.outcome;
    };
    const states = [
      ["is_ending = true", "TV191", "organization_ending"],
      ["is_ending = false, suspended_at = now()", "TV190", "organization_suspended"],
      // A plan without the API is said alone.
      ["plan = 'basic'", "TV111", "api_not_in_plan"],
    ] as const;
    for (const [state, code, outcome] of states) {
      await sql.unsafe(`update public.subscriptions set ${state} where org_id = $1`, [orgId]);
      expect(await refusalOf(id)).toBe(code);
      expect(await begin()).toBe(outcome);
    }
    await sql`update public.subscriptions set plan = 'pro', suspended_at = null where org_id = ${orgId}`;
    expect(await refusalOf(id)).toBeInstanceOf(Array);
    expect(await begin()).toBe("accepted");
    await sql`update public.organizations set erase_at = now() - interval '1 second' where id = ${orgId}`;
    await sql`select private.erase_organizations(100000)`;
    expect(await refusalOf(id)).toBe("TV110");
    expect(await begin()).toBe("api_key_refused");
  });

  it("never takes the place of a person who is signed in", async () => {
    const both = await undone(sql, async (transaction) => {
      const { id } = theirs.users.owner;
      const claims = { sub: id, session_id: id, aal: "aal1", api_key_id: ours.keyIds.read };
      await transaction`
        select set_config('request.jwt.claim.sub', ${id}, true),
          set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
          set_config('role', 'authenticated', true)`;
      return transaction<{ id: string }[]>`select id from public.organizations`;
    });
    expect(both.map(({ id }) => id)).toEqual([theirs.id]);
  });
});

describe("a request", () => {
  it("is counted for the key, and guesses for the address", async () => {
    const { id: orgId } = await createOrganization(sql);
    const { id, key } = await createApiKey(sql, { orgId });
    const outcomeOf = async (hash: string, times: number) => {
      const [row] = await sql<{ outcome: string; used: string | null }[]>`
        with begun as (
          select r.outcome, n from generate_series(1, ${times}) n,
            lateral public.begin_api_request(${hash}, null, ${`address of ${key} `}|| (n * 0)) r)
        select outcome from begun order by n desc limit 1`;
      return row?.outcome;
    };
    expect(await outcomeOf(hashOfKey(key), API_REQUESTS_PER_MINUTE)).toBe("accepted");
    // Counters are spread over connections; a window may have begun meanwhile.
    expect(await outcomeOf(hashOfKey(key), API_REQUESTS_PER_MINUTE + 1)).toBe("too_many_attempts");
    expect(await outcomeOf(hashOfKey("tv_live_faux"), 1)).toBe("api_key_refused");
    expect(await outcomeOf(hashOfKey("tv_live_faux"), 61)).toBe("too_many_attempts");
    const [row] = await sql<{ used: boolean }[]>`
      select last_used_at is not null as used from private.api_keys where id = ${id}`;
    expect(row?.used).toBe(true);
  });
});

describe("making and taking back", () => {
  const create = (caller: Caller, scope = "read", storeId: string | null = null) =>
    attempt(caller, async (transaction) => {
      const [row] = await transaction<{ answer: unknown }[]>`
        select public.create_api_key('  Caisse  ', ${scope}, ${storeId}) as answer`;
      return whole(newApiKey, row?.answer);
    });
  const listOf = (caller: Caller, orgId: string) =>
    database.as(caller, async (transaction) => {
      const [row] = await transaction<{ answer: unknown }[]>`
        select public.api_keys(${orgId}) as answer`;
      return whole(apiKeys, row?.answer);
    });

  it("shows a key once, keeps its hash, writes it down, and takes it back for good", async () => {
    const organization = await createOrganization(sql);
    const admin: Caller = { userId: organization.users.admin.id };
    const made = await create(admin, "redeem", organization.storeId);
    if (typeof made === "string") throw new Error(made);
    expect(made.key).toMatch(/^tv_live_[\w-]{43}$/);
    const list = await listOf(admin, organization.id);
    expect(list).toMatchObject({
      is_included: true,
      keys: [
        { name: "Caisse", prefix: made.key.slice(0, 13), store: { id: organization.storeId } },
      ],
    });
    const everything = JSON.stringify([
      list,
      await sql`select * from private.api_keys where id = ${made.id}`,
      await sql`select * from public.audit_events where org_id = ${organization.id}`,
    ]);
    expect(everything).not.toContain(made.key);

    await database.as(admin, (s) => s`select public.revoke_api_key(${made.id})`);
    await database.as(admin, (s) => s`select public.revoke_api_key(${made.id})`);
    expect((await listOf(admin, organization.id)).keys).toEqual([]);
    const trail = await sql<{ action: string }[]>`
      select action from public.audit_events
      where org_id = ${organization.id} and subject_type = 'api_key' order by id`;
    expect(trail.map(({ action }) => action)).toEqual(["api_key.created", "api_key.revoked"]);
  });

  it.each(API_SCOPES)(
    "of the scope %s is made by whoever may do all that it opens, and by nobody else",
    async (scope) => {
      const organization = await createOrganization(sql);
      const { member } = organization.users;
      const needed = API_SCOPE_PERMISSIONS[scope];
      const maker: Caller = { userId: member.id };
      for (const missing of [...needed, null]) {
        const permissions = [
          "api.manage",
          ...needed.filter((permission) => permission !== missing),
        ];
        await giveRole(sql, member, { orgId: organization.id, permissions });
        expect(await create(maker, scope), `without ${missing}`).toEqual(
          missing === null ? expect.objectContaining({ name: "Caisse" }) : "42501",
        );
      }
      expect(
        await sql`select from private.api_keys where org_id = ${organization.id}`,
      ).toHaveLength(1);
    },
  );

  it("is made by nobody whose role falls meanwhile", async () => {
    const organization = await createOrganization(sql);
    const { admin } = organization.users;
    const making = await sql.begin(async (other) => {
      await other`
        update public.organization_members set role = 'cashier' where user_id = ${admin.id}`;
      await other`select private.lock_team(${organization.id})`;
      const outcome = create({ userId: admin.id }, "redeem");
      await untilWaiting(sql);
      return { outcome };
    });
    expect(await making.outcome).toBe("42501");
    expect(await sql`select from private.api_keys where org_id = ${organization.id}`).toEqual([]);
  });

  it.each(["infinity", "294276-12-31", "9999-12-31"])(
    "is refused with the end %s, which no screen can show",
    async (end) => {
      const organization = await createOrganization(sql);
      const outcome = await attempt(
        { userId: organization.users.owner.id },
        (transaction) => transaction`
          select public.create_api_key('Caisse', 'read', p_expires_at => ${end}::text::timestamptz)`,
      );
      expect(outcome).toBe("23514");
      expect(await sql`select from private.api_keys where org_id = ${organization.id}`).toEqual([]);
    },
  );

  it("is refused on another plan, beyond the number, and for another's store", async () => {
    const organization = await createOrganization(sql);
    const owner: Caller = { userId: organization.users.owner.id };
    expect(await create(owner, "redeem", ours.storeId)).toBe("42501");
    expect(await create(owner, "write")).toBe("23514");
    for (let n = 0; n < MAX_API_KEYS; n += 1) await createApiKey(sql, { orgId: organization.id });
    expect(await create(owner)).toBe("TV112");
    await sql`delete from private.api_keys where org_id = ${organization.id}`;
    await sql`update public.subscriptions set plan = 'basic' where org_id = ${organization.id}`;
    expect(await create(owner)).toBe("TV111");
    expect(await listOf(owner, organization.id)).toEqual({ is_included: false, keys: [] });
  });

  it.each([
    ["is_ending = true", "TV191", true],
    ["suspended_at = now()", "TV190", true],
    ["status = 'canceled', closed_at = now()", "TV111", false],
    ["plan = 'basic', is_ending = true", "TV111", false],
  ])("is refused for the reason that holds: %s", async (state, code, isIncluded) => {
    const organization = await createOrganization(sql);
    const owner: Caller = { userId: organization.users.owner.id };
    await sql.unsafe(`update public.subscriptions set ${state} where org_id = $1`, [
      organization.id,
    ]);
    expect(await create(owner)).toBe(code);
    expect(await listOf(owner, organization.id)).toEqual({ is_included: isIncluded, keys: [] });
  });
});
