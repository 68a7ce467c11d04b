import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { become, createTestDatabase, undone } from "../harness/database.ts";
import { giveRole } from "../harness/fixtures.ts";
import { createWorld, type World } from "./attempts.ts";
import { type Callable, readCallables } from "./function-calls.ts";

/**
 * PostgreSQL's own words about a row that breaks a rule hold the row, and functions act as their owner, who sees all of it.
 * Members who may do everything but know customers or codes call every function with what no row may hold: no refusal says
 * what they may not know, nor a secret, nor a review's own identifier, by which a phone is told its code.
 */

type Of = "codes" | "customers";

const database = await createTestDatabase();
const { sql } = database;
let world: World;
let identifiers: string[];
let secrets: { secret: string; of: Of }[];

beforeAll(async () => {
  world = await createWorld(database);
  const { id: orgId, campaignId } = world.ours;
  await sql`
    update private.check_settings set presence = 'turning' where org_id = ${orgId} and campaign_id = ${campaignId}`;
  const rows = await sql<{ id: string }[]>`
    select id from public.pre_spin_reviews where org_id = ${orgId}
    union select private.alias_of(id) from public.pre_spin_reviews where org_id = ${orgId}
    union select id from public.customers where org_id = ${orgId}
    union select id from public.redemptions where org_id = ${orgId}
    union select id from public.rewards where org_id = ${orgId}
    union select id from private.invitations where org_id = ${orgId}
    union select id from private.api_keys where org_id = ${orgId}`;
  identifiers = rows.map(({ id }) => id);
  const found = await sql<{ secret: string; of: Of }[]>`
    select left(encode(presence_key, 'hex'), 40) as secret, 'codes' as of from private.check_settings where org_id = ${orgId}
    union select left(encode(key_hash, 'hex'), 40), 'codes' from private.api_keys where org_id = ${orgId}
    union select code, 'codes' from public.redemptions where org_id = ${orgId}
    union select code, 'codes' from public.points_spends where org_id = ${orgId}
    union select id::text, 'codes' from public.pre_spin_reviews where org_id = ${orgId}
    union select name, 'customers' from public.customers where org_id = ${orgId}
    union select email, 'customers' from public.customers where org_id = ${orgId}`;
  secrets = found;
});
afterAll(() => database.drop());

/** Values that rules refuse, in SQL, by the type of an argument. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  text: ["''", "'zz'", "repeat('x', 5000)", "null"],
  integer: ["-1", "999999999"],
  numeric: ["-1", "999999"],
  boolean: ["null"],
  jsonb: ["'{}'", "'[]'", "'[1]'"],
  "text[]": ["'{zz}'"],
  date: ["'infinity'"],
  "time without time zone": ["'10:00'"],
  "timestamp with time zone": ["'infinity'"],
};

/** An argument beside it: of what the organisation has, but no gift, whose own rules would come first. */
function plausible({ name, type }: Callable["takes"][number], identifier: string): string {
  const { ours } = world;
  const known: Readonly<Record<string, string>> = {
    p_org_id: `'${ours.id}'`,
    p_store_id: `'${ours.storeId}'`,
    p_campaign_id: `'${ours.campaignId}'`,
    p_version: "0",
    p_request_id: "gen_random_uuid()",
    p_scope: "'redeem'",
    p_role: "'cashier'",
    p_presence: "'word'",
    p_reward_id: "null",
  };
  const ofType: Readonly<Record<string, string>> = {
    uuid: `'${identifier}'`,
    text: "'Essai'",
    integer: "1",
    numeric: "1",
    boolean: "true",
    jsonb: "'[]'",
  };
  return known[name] ?? ofType[type] ?? "null";
}

function callsOf({ name, takes }: Callable): string[] {
  const calls = takes.flatMap((wrong, place) =>
    (REFUSED[wrong.type] ?? []).flatMap((value) =>
      identifiers.map((identifier) => {
        const list = takes.map((argument, at) => {
          const given = at === place ? value : plausible(argument, identifier);
          return `${given}::${argument.type}`;
        });
        return `select public.${name}(${list.join(", ")})::text`;
      }),
    ),
  );
  return [...new Set(calls)];
}

it.each<{ without: Of[] }>([{ without: ["codes"] }, { without: ["codes", "customers"] }])(
  "names nothing of $without to whoever may not know them",
  async ({ without }) => {
    const { id: orgId, users } = world.ours;
    const given = await sql<{ permission: string }[]>`
    select permission from public.role_permissions
    where role = 'admin' and split_part(permission, '.', 1) <> all (${without}::text[])
    union select 'codes.redeem'`;
    const permissions = given.map(({ permission }) => permission);
    await giveRole(sql, users.member, { orgId, permissions });
    const kept = secrets.filter(({ of }) => without.includes(of));
    const told: string[] = [];
    let refused = 0;
    for (const callable of await readCallables(sql)) {
      for (const call of callsOf(callable)) {
        await undone(sql, async (transaction) => {
          await become(transaction, { userId: users.member.id });
          await transaction.unsafe(call);
        }).catch((error: unknown) => {
          if (!(error instanceof postgres.PostgresError)) throw error;
          refused += 1;
          const words = [error.message, error.detail, error.hint].join(" ");
          const isTold = kept.some(
            ({ secret }) => words.includes(secret) && !call.includes(secret),
          );
          if (isTold) told.push(`${call}: ${error.code}`);
        });
      }
    }
    expect(told).toEqual([]);
    expect(refused).toBeGreaterThan(500);
  },
);
