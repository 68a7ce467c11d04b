import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { TRIAL_DAYS } from "#domain/rules/constants.ts";
import { created } from "#domain/schemas/back-office.ts";
import { workspace } from "#domain/schemas/workspace.ts";
import { callsDuring } from "../../harness/calls-during.ts";
import { become, createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createStore,
  createUser,
  type User,
} from "../../harness/fixtures.ts";
import { everythingStored } from "../support/stored.ts";

/** A merchant's first steps: all of a step or nothing of it, and once, whatever happens at once. */

const CONCURRENCY = 20;

let database: TestDatabase;
/** Connections enough for a crowd to be there at the same time. */
let crowd: postgres.Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  crowd = postgres(database.url, { max: CONCURRENCY, onnotice: () => {} });
  // All of them are connected before the first rush: connecting takes longer than what they do.
  const connected = await Promise.all(Array.from({ length: CONCURRENCY }, () => crowd.reserve()));
  for (const connection of connected) connection.release();
});

afterAll(async () => {
  await crowd.end();
  await database.drop();
});

/** Calls a function as a signed-in user; answers what it answers, or the SQLSTATE of its refusal. */
async function call(user: User, statement: string, ...values: (string | null)[]): Promise<unknown> {
  return crowd
    .begin(async (sql) => {
      await become(sql, { userId: user.id });
      const [row] = await sql.unsafe<{ answer: unknown }[]>(statement, values);
      return row?.answer ?? null;
    })
    .catch((error: unknown) => {
      if (error instanceof postgres.PostgresError) return error.code;
      throw error;
    });
}

const slug = (word: string) => `${word}-${randomUUID().slice(0, 8)}`;

function organize(user: User, name: string | null, wanted: string | null): Promise<unknown> {
  return call(user, "select public.create_organization($1, $2) as answer", name, wanted);
}

function openStore(
  user: User,
  {
    name = "Bastille",
    wanted = slug("bastille"),
    address = "12 rue de la Roquette, 75011 Paris",
    url = null,
    mode = "compliant",
  }: { name?: string; wanted?: string; address?: string; url?: string | null; mode?: string } = {},
): Promise<unknown> {
  return call(
    user,
    "select public.create_store($1, $2, $3, $4, $5) as answer",
    name,
    wanted,
    address,
    url,
    mode,
  );
}

function isFree(user: User, kind: string, wanted: string, ownerId: string | null = null) {
  return call(user, "select public.is_slug_free($1, $2, $3) as answer", kind, wanted, ownerId);
}

async function count(table: string, where: string): Promise<number> {
  const [row] = await database.sql.unsafe<{ count: number }[]>(
    `select count(*)::int as count from ${table} where ${where}`,
  );
  return row?.count ?? -1;
}

/** How many statements of this database wait for another transaction. */
function waiting(): Promise<number> {
  return count("pg_stat_activity", "datname = current_database() and wait_event_type = 'Lock'");
}

/** Expects an answer that leaves everything as it was. */
async function changesNothing(run: () => Promise<unknown>): Promise<unknown> {
  const before = await everythingStored(database.sql);
  const answer = await run();
  expect(await everythingStored(database.sql)).toEqual(before);
  return answer;
}

/** Makes every insert into a table fail while something runs. */
async function whileBroken<T>(table: string, run: () => Promise<T>): Promise<T> {
  const { sql } = database;
  await sql.unsafe(`
    create function private.breach() returns trigger language plpgsql as
      $$ begin raise exception 'broken' using errcode = '53100'; end; $$;
    create trigger breach before insert on ${table} for each row execute function private.breach()`);
  try {
    return await run();
  } finally {
    await sql.unsafe(`drop trigger breach on ${table}; drop function private.breach()`);
  }
}

describe("an organisation", () => {
  it("comes with its owner, the free trial that pages and mails name, and preferences", async () => {
    const user = await createUser(database.sql);
    const wanted = slug("martin");
    const made = created.parse(await organize(user, "  Boulangerie Martin ", wanted));
    expect(made).toMatchObject({ name: "Boulangerie Martin", slug: wanted });
    const rows = await database.sql`
      select m.role, s.plan, s.status, s.trial_end = s.created_at + ${TRIAL_DAYS} * interval '1 day' as fortnight,
        p.email, p.sms
      from public.organization_members m
      join public.subscriptions s using (org_id)
      join public.notification_preferences p using (org_id, user_id)
      where m.org_id = ${made.id} and m.user_id = ${user.id}`;
    expect([...rows]).toEqual([
      {
        role: "owner",
        plan: "free_trial",
        status: "active",
        fortnight: true,
        email: true,
        sms: false,
      },
    ]);
    const seen = workspace.parse(await call(user, "select public.my_workspace() as answer"));
    expect(seen).toMatchObject({
      organization: made,
      role: "owner",
      stores: [],
      has_campaign: false,
      plan: { plan: "free_trial", status: "active", is_open: true },
    });
  });

  it.each([
    ["public.organization_members", "TV021"],
    ["public.notification_preferences", "TV021"],
    ["public.subscriptions", "TV022"],
    ["public.organizations", "53100"],
  ])("is not left half made when %s fails: %s", async (table, code) => {
    const user = await createUser(database.sql);
    const outcome = await whileBroken(table, () =>
      changesNothing(() => organize(user, "Boulangerie", slug("boulangerie"))),
    );
    expect(outcome).toBe(code);
    // Nothing stands in the way of the next attempt.
    expect(await organize(user, "Boulangerie", slug("boulangerie"))).toHaveProperty("id");
  });

  it.each([
    ["the same slug, as a double click does", () => "maison-unique"],
    ["another slug each time", () => slug("maison")],
  ])("is made once, however often it is asked for at once with %s", async (_, wanted) => {
    const user = await createUser(database.sql);
    const answers = await Promise.all(
      Array.from({ length: CONCURRENCY }, () => organize(user, "Maison unique", wanted())),
    );
    expect(answers.filter((answer) => created.safeParse(answer).success)).toHaveLength(1);
    // None is told that the slug is taken: it is taken by oneself.
    expect(answers.filter((answer) => answer === "TV020")).toHaveLength(CONCURRENCY - 1);
    const whose = `id in (select org_id from public.organization_members where user_id = '${user.id}')`;
    expect(await count("public.organizations", whose)).toBe(1);
    await database.sql.unsafe(`update public.organizations set name = 'Autre' where ${whose}`);
    expect(await count("public.organizations", "name = 'Maison unique'")).toBe(0);
  });

  it("gets a slug that many want at once, for one of them alone", async () => {
    const users = await Promise.all(
      Array.from({ length: CONCURRENCY }, () => createUser(database.sql)),
    );
    const wanted = slug("convoitee");
    const answers = await Promise.all(users.map((user) => organize(user, "Convoitée", wanted)));
    expect(answers.filter((answer) => created.safeParse(answer).success)).toHaveLength(1);
    expect(answers.filter((answer) => answer === "23505")).toHaveLength(CONCURRENCY - 1);
    expect(await count("public.organizations", `slug = '${wanted}'`)).toBe(1);
    const ids = users.map(({ id }) => `'${id}'`).join(", ");
    expect(await count("public.organization_members", `user_id in (${ids})`)).toBe(1);
  });

  it("is refused when an invitation made the user a member at the same instant", async () => {
    const user = await createUser(database.sql);
    const other = await createOrganization(database.sql);
    // Not committed, and so not seen, when the function asks: the key makes it wait and decides.
    const { asked } = await database.sql.begin(async (sql) => {
      await sql`
        insert into public.organization_members (org_id, user_id, role)
        values (${other.id}, ${user.id}, 'member')`;
      const pending = organize(user, "Tardive", slug("tardive"));
      await expect.poll(waiting).toBeGreaterThan(0);
      return { asked: pending };
    });
    expect(await asked).toBe("TV020");
    expect(await count("public.organizations", "name = 'Tardive'")).toBe(0);
  });

  it.each([
    [
      "a member of another",
      async () => (await createOrganization(database.sql)).users.member,
      "TV020",
    ],
    ["a cashier", async () => (await createOrganization(database.sql)).users.cashier, "TV020"],
    [
      "somebody without a confirmed address or number",
      async () => {
        const user = await createUser(database.sql);
        await database.sql`update auth.users set email_confirmed_at = null where id = ${user.id}`;
        return user;
      },
      "42501",
    ],
    [
      "somebody whose session was ended",
      async () => {
        const user = await createUser(database.sql);
        await database.sql`delete from auth.sessions where user_id = ${user.id}`;
        return user;
      },
      "TV011",
    ],
  ])("is refused to %s", async (_, whoever, code) => {
    const user = await whoever();
    expect(await changesNothing(() => organize(user, "Maison", slug("maison")))).toBe(code);
  });

  it("may be made by somebody who confirmed a phone number", async () => {
    const user = await createUser(database.sql);
    await database.sql`
      update auth.users set email_confirmed_at = null, phone_confirmed_at = now() where id = ${user.id}`;
    expect(await organize(user, "Maison", slug("par-telephone"))).toHaveProperty("id");
  });

  it.each([
    ["no name", null, "sans-nom", "23502"],
    ["a blank name", "  ", "blanc", "23514"],
    ["a name that is too long", "x".repeat(121), "long", "23514"],
    ["no slug", "Maison", null, "23502"],
    ["capitals in the slug", "Maison", "Maison", "23514"],
    ["a slug of hyphens", "Maison", "--", "23514"],
    ["markup in the slug", "Maison", "<b>", "23514"],
  ])("is refused with %s", async (_, name, wanted, code) => {
    const user = await createUser(database.sql);
    expect(await changesNothing(() => organize(user, name, wanted))).toBe(code);
  });
});

describe("a store", () => {
  it("belongs to the organisation, compliant by default, its blank link left out", async () => {
    const ours = await createOrganization(database.sql);
    const made = created.parse(await openStore(ours.users.owner, { name: " Annexe ", url: "  " }));
    const [row] = await database.sql`select * from public.stores where id = ${made.id}`;
    expect(row).toMatchObject({
      org_id: ours.id,
      name: "Annexe",
      google_review_url: null,
      review_mode: "compliant",
      timezone: "Europe/Paris",
    });
  });

  it("may be one alone on the free trial, also when twenty are opened at once", async () => {
    const user = await createUser(database.sql);
    await organize(user, "Une seule", slug("une-seule"));
    const answers = await Promise.all(Array.from({ length: CONCURRENCY }, () => openStore(user)));
    expect(answers.filter((answer) => created.safeParse(answer).success)).toHaveLength(1);
    expect(answers.filter((answer) => answer === "TV003")).toHaveLength(CONCURRENCY - 1);
    const whose = `org_id = (select org_id from public.organization_members where user_id = '${user.id}')`;
    expect(await count("public.stores", whose)).toBe(1);
  });

  it("beyond the plan is refused to a plain insert too, and to one taken out of the archive", async () => {
    const trial = await createOrganization(database.sql, { plan: "free_trial" });
    const insert = `insert into public.stores (org_id, name, slug, address)
      values ('${trial.id}', 'Deux', 'deux', 'ici') returning null as answer`;
    expect(await changesNothing(() => call(trial.users.owner, insert))).toBe("TV003");
    const archive = (at: string) =>
      call(
        trial.users.owner,
        `update public.stores set archived_at = ${at} where org_id = '${trial.id}' and name <> 'Deux'
         returning null as answer`,
      );
    await archive("now()");
    expect(await call(trial.users.owner, insert)).toBeNull();
    expect(await changesNothing(() => archive("null"))).toBe("TV003");
  });

  it("is one of several on a plan with several", async () => {
    const basic = await createOrganization(database.sql, { plan: "basic" });
    expect(await openStore(basic.users.member)).toHaveProperty("id");
    expect(await openStore(basic.users.admin)).toHaveProperty("id");
  });

  it("gets a slug that is new to the organisation, and may share one with another's", async () => {
    const ours = await createOrganization(database.sql);
    const theirs = await createOrganization(database.sql);
    const wanted = slug("gare");
    expect(await openStore(ours.users.owner, { wanted })).toHaveProperty("id");
    expect(await changesNothing(() => openStore(ours.users.owner, { wanted }))).toBe("23505");
    expect(await openStore(theirs.users.owner, { wanted })).toHaveProperty("id");
  });

  it("is not made when its organisation cannot be looked up: the log alone has the database's words", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql);
    const words = `no such page ${randomUUID()}`;
    const [kept] = await sql<{ definition: string }[]>`
      select pg_get_functiondef('private.my_org_ids(text)'::regprocedure) as definition`;
    const open = () =>
      sql.begin(async (transaction) => {
        await become(transaction, { userId: ours.users.owner.id });
        await transaction`select public.create_store('Annexe', 'annexe', 'ici', null, null)`;
      });
    const before = await everythingStored(sql);
    await sql.unsafe(`
      create or replace function private.my_org_ids(p_permission text default null) returns setof uuid
      language plpgsql stable as $$ begin raise exception '${words}' using errcode = '58P01'; end $$`);
    try {
      const refusal = { code: "TV050", message: "organization_lookup_failed", detail: "58P01" };
      await expect(open()).rejects.toMatchObject(refusal);
    } finally {
      await sql.unsafe(kept?.definition ?? "");
    }
    expect(await everythingStored(sql)).toEqual(before);
    const [log] = await sql<{ text: string }[]>`select pg_read_file(pg_current_logfile()) as text`;
    expect(log?.text).toContain(`organization_lookup_failed: 58P01 ${words}`);
    // Repaired, it is made.
    await open();
    expect(await count("public.stores", `org_id = '${ours.id}'`)).toBe(2);
  });

  it("is refused to whoever has no organisation, or not the permission", async () => {
    const nobody = await createUser(database.sql);
    expect(await changesNothing(() => openStore(nobody))).toBe("TV023");
    await database.sql`delete from auth.sessions where user_id = ${nobody.id}`;
    expect(await changesNothing(() => openStore(nobody))).toBe("TV011");
    const ours = await createOrganization(database.sql);
    expect(await changesNothing(() => openStore(ours.users.cashier))).toBe("42501");
  });

  it.each([
    ["a blank name", { name: " " }],
    ["a blank address", { address: " " }],
    ["a link that is none", { url: "javascript:alert(1)" }],
    ["an unknown review mode", { mode: "tout" }],
    ["a malformed slug", { wanted: "Gare" }],
  ])("is refused with %s", async (_, values) => {
    const ours = await createOrganization(database.sql);
    expect(await changesNothing(() => openStore(ours.users.owner, values))).toBe("23514");
  });
});

describe("a slug is free", () => {
  it("for an organisation when no other has it, over the whole platform", async () => {
    const ours = await createOrganization(database.sql);
    const nobody = await createUser(database.sql);
    expect(await isFree(nobody, "organization", slug("libre"))).toBe(true);
    expect(await isFree(nobody, "organization", ours.slug)).toBe(false);
    expect(await isFree(ours.users.owner, "organization", ours.slug)).toBe(true);
  });

  it("for a store when one's own organisation has none of that name", async () => {
    const ours = await createOrganization(database.sql);
    const theirs = await createOrganization(database.sql);
    const wanted = slug("gare");
    await openStore(ours.users.owner, { wanted });
    expect(await isFree(ours.users.member, "store", wanted)).toBe(false);
    expect(await isFree(theirs.users.owner, "store", wanted)).toBe(true);
    const [store] = await database.sql<{ id: string }[]>`
      select id from public.stores where slug = ${wanted}`;
    expect(await isFree(ours.users.member, "store", wanted, store?.id)).toBe(true);
    expect(await isFree(ours.users.member, "store", wanted, ours.storeId)).toBe(false);
  });

  it("for a campaign when none has it, or had it, over the whole platform", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql);
    const theirs = await createOrganization(sql);
    const campaign = await createCampaign(sql, { orgId: theirs.id, storeId: theirs.storeId });
    const { owner } = theirs.users;
    const renamed = slug("noel");
    await sql`update public.campaigns set slug = ${renamed} where id = ${campaign.id}`;
    expect(await isFree(owner, "campaign", slug("libre"))).toBe(true);
    for (const taken of [renamed, campaign.slug]) {
      expect(await isFree(ours.users.owner, "campaign", taken)).toBe(false);
      expect(await isFree(owner, "campaign", taken)).toBe(false);
      // A campaign may have its own address again, present or former.
      expect(await isFree(owner, "campaign", taken, campaign.id)).toBe(true);
    }
  });

  it("or the first number behind it is", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql);
    const theirs = await createOrganization(sql);
    const near = (user: User, kind: string, wanted: string, ownerId: string | null = null) =>
      call(user, "select public.free_slug($1, $2, $3) as answer", kind, wanted, ownerId);
    const taken = slug("roue");
    const make = (wanted: string) =>
      createCampaign(sql, { orgId: theirs.id, storeId: theirs.storeId, slug: wanted });
    const first = await make(taken);
    for (const wanted of [`${taken}-2`, `${taken}-4`, `${taken}-9`]) await make(wanted);
    const { owner } = ours.users;
    expect(await near(owner, "campaign", slug("libre"))).toMatch(/^libre/);
    expect(await near(owner, "campaign", taken)).toBe(`${taken}-3`);
    // Its own number goes on; one's own address is free.
    expect(await near(owner, "campaign", `${taken}-4`)).toBe(`${taken}-5`);
    expect(await near(owner, "campaign", `${taken}-9`)).toBe(`${taken}-10`);
    expect(await near(owner, "campaign", taken, first.id)).toBe(taken);
    expect(await near(owner, "organization", theirs.slug)).not.toBe(theirs.slug);
    // The longest one makes room for its number.
    const long = `${taken}-${"x".repeat(79 - taken.length)}`;
    await make(long);
    const short = z.string().parse(await near(owner, "campaign", long));
    expect(short).toMatch(/x-2$/);
    expect(short).toHaveLength(80);
    expect(await near(owner, "campaign", "Pas un slug")).toBeNull();
    expect(await near(owner, "reward", taken)).toBeNull();
  });

  it("is looked for no further than the first free number", async () => {
    const ours = await createOrganization(database.sql);
    const theirs = await createOrganization(database.sql);
    await database.as({ userId: ours.users.owner.id }, async (sql) => {
      // Counting calls is for superusers; who asks stands in the claims.
      await sql`reset role`;
      const calls = await callsDuring(sql, ["is_slug_free"], async () => {
        const [row] = await sql`select public.free_slug('organization', ${theirs.slug}) as slug`;
        expect(row?.slug).not.toBe(theirs.slug);
      });
      expect(calls).toEqual({ is_slug_free: 2 });
    });
  });

  it("is found for a name that thousands have, in few looks", async () => {
    const theirs = await createOrganization(database.sql);
    const asker = await createUser(database.sql);
    const taken = slug("noel");
    const campaign = await createCampaign(database.sql, {
      orgId: theirs.id,
      storeId: theirs.storeId,
      slug: taken,
    });
    await database.sql`
      insert into public.campaign_slug_redirects (slug, org_id, campaign_id)
      select ${taken} || '-' || n, ${theirs.id}, ${campaign.id} from generate_series(2, 4321) n`;
    await database.as({ userId: asker.id }, async (sql) => {
      await sql`reset role`;
      const calls = await callsDuring(sql, ["is_slug_free"], async () => {
        const [row] = await sql`select public.free_slug('campaign', ${taken}) as slug`;
        expect(row?.slug).toBe(`${taken}-4322`);
      });
      expect(calls.is_slug_free).toBeLessThan(40);
    });
  });

  it("never when it is none; of an unknown kind nothing is known", async () => {
    const user = await createUser(database.sql);
    for (const text of ["", "Libre", "a--b", "é", "x".repeat(81)]) {
      expect(await isFree(user, "organization", text)).toBe(false);
      expect(await isFree(user, "store", text)).toBe(false);
      expect(await isFree(user, "campaign", text)).toBe(false);
    }
    expect(await isFree(user, "reward", "libre")).toBeNull();
  });
});

it("progress shows in the workspace as it is made", async () => {
  const ours = await createOrganization(database.sql);
  const seen = async () =>
    workspace.parse(await call(ours.users.cashier, "select public.my_workspace() as answer"));
  expect((await seen()).has_campaign).toBe(false);
  await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId, active: false });
  expect((await seen()).has_campaign).toBe(true);
  await createStore(database.sql, { orgId: ours.id, name: "Annexe" });
  expect((await seen()).stores).toHaveLength(2);
  await database.sql`
    update public.subscriptions set status = 'canceled' where org_id = ${ours.id}`;
  expect((await seen()).plan).toMatchObject({ status: "canceled", is_open: false });
});
