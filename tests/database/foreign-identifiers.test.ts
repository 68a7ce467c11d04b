import { randomUUID } from "node:crypto";
import postgres, { type TransactionSql } from "postgres";
import { afterAll, expect, it } from "vitest";
import { become, createTestDatabase, undone } from "../harness/database.ts";
import { createWorld, fingerprint, readTables, type World } from "./attempts.ts";
import { callsOf, readCallables } from "./function-calls.ts";

/**
 * Every function that signed-in users may call, with what belongs to another organisation: each argument that could
 * name something is, one after the other, every kind of identifier of the others. The remaining arguments are valid and
 * one's own. Nothing of the others changes, and no answer names anything of theirs. That the same calls do something
 * for whom they are meant for shows that they are no empty gestures.
 */

type Tenant = World["ours"];

const database = await createTestDatabase();
const { sql } = database;
const world = await createWorld(database);
for (const { id } of [world.ours, world.theirs]) {
  await sql`
    insert into private.invitations (org_id, email, role, token_hash)
    values (${id}, ${`${id}@exemple.fr`}, 'member', sha256(convert_to(${id}, 'UTF8')))`;
}
/** Attempts are counted, and a refused recovery code is an event of the asker's account. */
const OF_THE_ASKER = new Set(["private.rate_limits", "private.account_events"]);
const tables = (await readTables(sql)).filter(({ name }) => !OF_THE_ASKER.has(name));
const before = await fingerprint(sql, tables, world.theirs);

afterAll(() => database.drop());

const callables = await readCallables(sql);

const IDENTIFIER = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g;

/** Rows of an organisation as text, by table. */
async function rowsOf(tenant: Tenant): Promise<Map<string, { id: string | null; text: string }[]>> {
  const found = new Map<string, { id: string | null; text: string }[]>();
  for (const { name, columns } of tables) {
    const key = name === "organizations" ? "id" : "org_id";
    if (!columns.some((column) => column.name === key)) continue;
    found.set(
      name,
      await sql.unsafe(`
        select to_jsonb(t) ->> 'id' as id, to_jsonb(t)::text as text from ${name} t
        where ${key} = '${tenant.id}' order by 2`),
    );
  }
  return found;
}

const rows = { ours: await rowsOf(world.ours), theirs: await rowsOf(world.theirs) };

/** An identifier of every kind. */
function identifiersOf(tenant: Tenant, rowsByTable: (typeof rows)["ours"]): string[] {
  const first = [...rowsByTable.values()].map(([row]) => row?.id ?? "");
  const { owner, cashier } = tenant.users;
  const all = [...first, owner.id, cashier.id, tenant.usedId, tenant.roleId];
  return [...new Set(all.filter((id) => id.match(IDENTIFIER)))];
}

/** Values that name something of an organisation, by the type of an argument. */
const given = (tenant: Tenant, rowsByTable: (typeof rows)["ours"]) => ({
  identifiers: identifiersOf(tenant, rowsByTable),
  words: [tenant.roleId, tenant.code, tenant.name, tenant.slug],
});

/** Marks that stand in an organisation's rows and in nobody else's. */
const marks = (() => {
  const texts = ({ ours, theirs }: typeof rows) =>
    [ours, theirs].map((one) => [...one.values()].flat().map(({ text }) => text));
  const [ours = [], theirs = []] = texts(rows);
  const elsewhere = new Set(theirs.join("\n").match(IDENTIFIER));
  const own = [...new Set(ours.join("\n").match(IDENTIFIER))].filter((id) => !elsewhere.has(id));
  return [...own, world.ours.name, world.ours.slug, world.ours.code];
})();

/** The SQLSTATE of a refusal, or the answer. */
type Outcome = { code: string } | { answer: string | null };

async function outcomeOf(transaction: TransactionSql, call: string): Promise<Outcome> {
  const [outcome] = await transaction
    .savepoint(async (inner) => {
      const [row] = await inner.unsafe<{ answer: string | null }[]>(call);
      return [{ answer: row?.answer ?? null }];
    })
    .catch((error: unknown): [Outcome] => {
      if (error instanceof postgres.PostgresError) return [{ code: error.code }];
      throw error;
    });
  return outcome ?? { answer: null };
}

const isRefusal = (outcome: Outcome) =>
  "code" in outcome ? outcome.code === "42501" : outcome.answer === null;

it.each(callables)(
  "$signature does nothing to others and says nothing of them",
  async (callable) => {
    const { ours, theirs } = world;
    const calls = callsOf(callable, theirs, given(ours, rows.ours));
    const { told, after } = await undone(sql, async (transaction) => {
      const told: string[] = [];
      for (const { call, given } of calls) {
        await become(transaction, { userId: theirs.users.owner.id });
        const outcome = await outcomeOf(transaction, call);
        const answer = "answer" in outcome ? (outcome.answer ?? "") : "";
        if (marks.some((mark) => mark !== given && answer.includes(mark))) told.push(call);
      }
      await transaction`reset role`;
      await transaction`set constraints all immediate`;
      return { told, after: await fingerprint(transaction, tables, theirs) };
    });
    expect(told).toEqual([]);
    expect(after).toEqual(before);
  },
);

const naming = callables.filter(({ takes }) => takes.length > 0);
it.each(naming)("$signature does something for whom it is meant for", async (callable) => {
  const { ours } = world;
  const calls = callsOf(callable, ours, given(ours, rows.ours));
  const isRefused = await undone(sql, async (transaction) => {
    for (const { call } of calls) {
      const outcome = await undone(transaction, async (inner) => {
        await become(inner, { userId: ours.users.owner.id });
        return outcomeOf(inner, call);
      });
      if (!isRefusal(outcome)) return false;
    }
    return true;
  });
  expect(isRefused).toBe(false);
});

// With figures of its tables PostgreSQL looks for an identifier first, and asks for the right when it has found it.
await sql`analyze public.stores, public.campaigns, public.rewards`;
it.each(naming)("$signature asks who it is before it looks for anything", async (callable) => {
  const { owner } = world.theirs.users;
  const unknown = { identifiers: [randomUUID()], words: [] };
  const outcomes = await undone(sql, async (transaction) => {
    await become(transaction, { userId: owner.id, sessionId: randomUUID() });
    const told: Outcome[] = [];
    for (const { call } of callsOf(callable, world.theirs, unknown)) {
      told.push(await outcomeOf(transaction, call));
    }
    return told;
  });
  // Otherwise the refusal of an ended session would tell which identifiers exist.
  expect(outcomes).toEqual(outcomes.map(() => ({ code: "TV011" })));
});
