import postgres, { type TransactionSql } from "postgres";
import { afterAll, expect, it } from "vitest";
import { become, createTestDatabase, undone } from "../harness/database.ts";
import { ROLES } from "../harness/fixtures.ts";
import { review, scan, spin } from "../harness/journey.ts";
import { createWorld, readFunctions } from "./attempts.ts";
import { FUNCTIONS, TABLES } from "./expectations.ts";

/**
 * People work while their shop is busy: at every instant somebody scans, rates or plays in a campaign, and holds its rows by their
 * foreign keys until the transaction ends. Whatever waits for one of those transactions would wait for the next ones, too.
 */

/** A statement waited for a lock for longer than it may. */
const WAITED = "55P03";

const database = await createTestDatabase();
const { sql } = database;
const { ours, theirs } = await createWorld(database);
// Two transactions on one shard of a counter take turns, by chance: here whoever waits has another than whoever is waited for.
await sql`
  create or replace function private.shard() returns smallint
  language sql stable parallel safe return (current_setting('lock_timeout') <> '0')::integer::smallint`;
const [campaign] = await sql<{ slug: string; version: number }[]>`
  select slug, version from public.campaigns where id = ${ours.campaignId}`;
const [customer] = await sql<{ version: number }[]>`
  select version from public.customers where id = ${ours.customerId}`;
if (campaign === undefined || customer === undefined) throw new Error("Nobody has played.");

afterAll(() => database.drop());

type Action = { name: string; isServer?: boolean; statement: string };

const save = (slug: string, rest = "") => `
  select public.save_campaign(p_id => '${ours.campaignId}', p_version => ${campaign.version}, p_name => 'Autre', p_slug => '${slug}',
    p_store_id => '${ours.storeId}', p_active => true, p_play_interval_days => 2 ${rest})`;
const wheel = JSON.stringify([
  { label: "Café", color: "#10B981", weight: 60, reward_id: ours.rewardId },
  { label: "Perdu", color: "#6B7280", weight: 40, reward_id: null },
]);
const cashier = ours.users.cashier.id;

/** Actions that the calls of the matrix do not reach: those name old versions and other names, or are the server's. */
const FURTHER: Action[] = [
  { name: "save_campaign, its name", statement: save(campaign.slug) },
  { name: "save_campaign, its slug", statement: save("tout-neuf") },
  {
    name: "save_campaign, its wheel",
    statement: save(campaign.slug, `, p_segments => '${wheel}'`),
  },
  {
    name: "save_campaign, its dates",
    statement: save(campaign.slug, ", p_starts_at => '2020-01-01', p_ends_at => '2090-01-01'"),
  },
  {
    name: "save_customer",
    statement: `
      select public.save_customer('${ours.customerId}', ${customer.version}, 'Zoé', 'Roy', 'zoe@exemple.fr', null, true, null)`,
  },
  {
    name: "remove_campaign with its history",
    statement: `select public.remove_campaign('${ours.campaignId}', false)`,
  },
  {
    name: "remove_reward with its history",
    statement: `select public.remove_reward('${ours.rewardId}', false)`,
  },
  {
    name: "remove_store with its history",
    statement: `select public.remove_store('${ours.storeId}', false)`,
  },
  { name: "end_organization", statement: `select public.end_organization('${ours.name}')` },
  {
    name: "a store's time zone",
    statement: `update public.stores set timezone = 'Indian/Reunion' where id = '${ours.storeId}'`,
  },
  {
    name: "a campaign that rests",
    statement: `update public.campaigns set active = false where id = '${ours.campaignId}'`,
  },
  ...["hold", "cancel", "clear"].map((decision) => ({
    name: `decide_check, ${decision}`,
    statement: `select public.decide_check('${ours.checkId}', '${decision}')`,
  })),
  {
    name: "redeem_code",
    isServer: true,
    statement: `
      select public.redeem_code(p_user_id => '${cashier}', p_session_id => '${cashier}', p_aal => 'aal1',
        p_code => '${ours.code}', p_store_id => '${ours.storeId}')`,
  },
  {
    name: "set_brand_logo",
    isServer: true,
    statement: `
      select public.set_brand_logo('${ours.users.owner.id}', '${ours.users.owner.id}', 'aal1', '${ours.id}',
        '${"fedcba9876543210".repeat(2)}', 300, 100)`,
  },
  {
    name: "set_billing_customer",
    isServer: true,
    statement: `select public.set_billing_customer('${ours.id}', 'cus_busy')`,
  },
  {
    name: "a suspension",
    isServer: true,
    statement: `update public.subscriptions set suspended_at = now() where org_id = '${ours.id}'`,
  },
];

/** Functions that write and that somebody of the team may call, as the matrix calls them. */
async function functionsThatWrite(): Promise<Action[]> {
  const volatile = await sql<{ name: string }[]>`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace and provolatile = 'v'`;
  const writing = new Set(volatile.map(({ name }) => name));
  return (await readFunctions(sql)).flatMap(({ signature, nullCall }) => {
    const name = signature.slice(0, signature.indexOf("("));
    const expectation = FUNCTIONS[signature];
    if (expectation === undefined || !writing.has(name)) return [];
    if (ROLES.every((role) => expectation.expected[role] === "denied")) return [];
    return [{ name, statement: expectation.call?.({ ours, theirs }) ?? nullCall }];
  });
}

/** Each column that people change in a table itself: named as it is, as by a form that sends all of its fields, and changed. */
function columnsThatPeopleWrite(): Action[] {
  return Object.entries(TABLES).flatMap(([table, { update, tenantColumn }]) =>
    (update?.columns ?? []).flatMap((column) => {
      const of = `where ${tenantColumn} = '${ours.id}'`;
      const name = `${table}.${column}`;
      const same = { name, statement: `update public.${table} set ${column} = ${column} ${of}` };
      if (column !== "slug" && column !== "name") return [same];
      return [
        same,
        {
          name: `${name}, a new one`,
          statement: `update public.${table} set ${column} = 'nouveau-' || right(md5(id::text), 8) ${of}`,
        },
      ];
    }),
  );
}

const actions = [...(await functionsThatWrite()), ...columnsThatPeopleWrite(), ...FURTHER];

/** Does something as the owner, or as the server where it is its part, with all that its end checks. */
async function act(transaction: TransactionSql, { isServer = false, statement }: Action) {
  if (!isServer) await become(transaction, { userId: ours.users.owner.id });
  await transaction.unsafe(statement);
  await transaction`reset role`;
  await transaction`set constraints all immediate`;
}

/** Somebody new scans, rates and plays. */
async function takePart(transaction: TransactionSql) {
  await scan(transaction, { slug: campaign?.slug ?? "" });
  await review(transaction, { campaignId: ours.campaignId });
  await spin(transaction, { campaignId: ours.campaignId });
}

/** Whether something would wait for another transaction. */
async function waits(run: (transaction: TransactionSql) => Promise<unknown>): Promise<boolean> {
  try {
    await undone(sql, async (transaction) => {
      await transaction`set local lock_timeout = '1s'`;
      await run(transaction);
    });
    return false;
  } catch (error) {
    // Other refusals are no matter here: they came without a wait.
    if (error instanceof postgres.PostgresError) return error.code === WAITED;
    throw error;
  }
}

it("nobody of the team waits for a customer who is taking part", async () => {
  const waited: string[] = [];
  await undone(sql, async (customers) => {
    await takePart(customers);
    for (const action of actions) {
      if (await waits((transaction) => act(transaction, action))) waited.push(action.name);
    }
  });
  expect(waited).toEqual([]);
});

it("no customer waits for somebody of the team", async () => {
  const held: string[] = [];
  for (const action of actions) {
    await undone(sql, async (team) => {
      await act(team, action);
      if (await waits(takePart)) held.push(action.name);
    }).catch((error: unknown) => {
      // An action that was refused holds nothing.
      if (!(error instanceof postgres.PostgresError)) throw error;
    });
  }
  expect(held).toEqual([]);
});
