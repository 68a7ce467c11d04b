import type { ISql, TransactionSql } from "postgres";
import postgres from "postgres";
import { afterAll, describe, expect, it } from "vitest";
import { become, createTestDatabase, undone } from "../harness/database.ts";
import { redeem, review, spin } from "../harness/journey.ts";
import { createWorld, fingerprint, readTables } from "./attempts.ts";
import { callsOf, readCallables } from "./function-calls.ts";

/**
 * Customers, reviews, turns and codes are known by their organisation and an identifier. Here another organisation has rows
 * with the same identifiers: what the one does changes nothing of the other, and no answer mixes them.
 */

const database = await createTestDatabase();
const { sql } = database;
const { ours, theirs } = await createWorld(database);
const tables = (await readTables(sql)).filter(({ columns }) =>
  columns.some(({ name }) => name === "org_id"),
);

afterAll(() => database.drop());

/** Tables whose identifiers are an organisation's own; a key's and an invitation's secrets are nobody else's. */
async function tenantTables(): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select i.indrelid::regclass::text as name
    from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indisprimary and i.indrelid not in ('private.api_keys'::regclass, 'private.invitations'::regclass)
    group by i.indrelid
    having array_agg(a.attname::text order by a.attname) = '{id,org_id}'
    order by 1`;
  return rows.map(({ name }) => name);
}

/** Objects known by one identifier in all organisations, ours beside theirs. */
async function counterparts(): Promise<[string, string][]> {
  const pairs: [string, string][] = [[ours.id, theirs.id]];
  for (const role of ["owner", "admin", "member", "cashier"] as const) {
    pairs.push([ours.users[role].id, theirs.users[role].id]);
  }
  for (const table of ["stores", "campaigns", "rewards"]) {
    const idsOf = async (orgId: string) =>
      sql.unsafe<{ id: string }[]>(
        `select id from public.${table} where org_id = '${orgId}' order by created_at, id`,
      );
    const [mine, other] = [await idsOf(ours.id), await idsOf(theirs.id)];
    pairs.push(...mine.map(({ id }, place): [string, string] => [id, other[place]?.id ?? ""]));
  }
  return pairs;
}

/** Gives the others the rows that we have, in their own campaigns and stores. */
async function makeTwins(inner: ISql): Promise<void> {
  await inner`set local session_replication_role = replica`;
  const pairs = await counterparts();
  for (const table of await tenantTables()) {
    await inner.unsafe(`delete from ${table} where org_id = '${theirs.id}'`);
    const row = pairs.reduce(
      (text, [mine, other]) => `replace(${text}, '${mine}', '${other}')`,
      "to_jsonb(t)::text",
    );
    const columns = tables.find(({ name }) => name === table)?.columns ?? [];
    const list = columns
      .filter(({ isGenerated }) => !isGenerated)
      .map(({ name }) => name)
      .join(", ");
    await inner.unsafe(`
      insert into ${table} (${list})
      select ${list} from (
        select (jsonb_populate_record(null::${table}, ${row}::jsonb)).* from ${table} t where t.org_id = '${ours.id}'
      ) r`);
  }
  await inner`set local session_replication_role = origin`;
}

async function answerOf(transaction: TransactionSql, call: string): Promise<string | null> {
  return undone(transaction, async (inner) => {
    await become(inner, { userId: ours.users.owner.id });
    const [row] = await inner.unsafe<{ answer: string | null }[]>(call);
    return row?.answer ?? null;
  }).catch((error: unknown) => {
    if (error instanceof postgres.PostgresError) return error.code;
    throw error;
  });
}

const identifiers = await (async () => {
  const found: string[] = [ours.users.owner.id, ours.users.cashier.id, ours.usedId];
  for (const table of [
    ...(await tenantTables()),
    "public.campaigns",
    "public.rewards",
    "public.stores",
  ]) {
    const rows = await sql.unsafe<{ id: string }[]>(
      `select id from ${table} where org_id = '${ours.id}' order by id limit 2`,
    );
    found.push(...rows.map(({ id }) => id));
  }
  return [...new Set(found)];
})();

const callables = (await readCallables(sql)).filter(
  ({ name, takes }) => takes.length > 0 && name !== "end_session",
);
const readings = await sql<{ name: string }[]>`
  select proname as name from pg_proc where pronamespace = 'public'::regnamespace and provolatile <> 'v'`;
const isReading = ({ name }: { name: string }) => readings.some((one) => one.name === name);
const callsBy = (callable: (typeof callables)[number]) =>
  callsOf(callable, ours, { identifiers, words: [ours.code, ours.name, "Ana"] });

async function allAnswers(transaction: TransactionSql) {
  const answers = new Map<string, (string | null)[]>();
  for (const callable of callables.filter(isReading)) {
    const given: (string | null)[] = [];
    for (const { call } of callsBy(callable)) given.push(await answerOf(transaction, call));
    answers.set(callable.signature, given);
  }
  return answers;
}

/** Answers without twins and beside them; in one transaction, which has one time. */
const { alone, beside } = await undone(sql, async (transaction) => {
  const before = await allAnswers(transaction);
  await makeTwins(transaction);
  return { alone: before, beside: await allAnswers(transaction) };
});

await sql.begin(makeTwins);

it("the others have as many rows with our identifiers as we have", async () => {
  const customers = await sql`
    select count(*)::integer as count from public.customers a join public.customers b using (id)
    where a.org_id = ${ours.id} and b.org_id = ${theirs.id}`;
  expect(customers[0]?.count).toBeGreaterThan(0);
  const spins = await sql`
    select count(*)::integer as count from public.spins a join public.spins b using (id)
    where a.org_id = ${ours.id} and b.org_id = ${theirs.id} and a.campaign_id <> b.campaign_id`;
  expect(spins[0]?.count).toBeGreaterThan(0);
});

it.each(callables.filter(isReading))("$signature answers as if there were no twins", (callable) => {
  const answers = alone.get(callable.signature) ?? [];
  expect(answers.length).toBeGreaterThan(0);
  expect(beside.get(callable.signature)).toEqual(answers);
});

/** Everything that is not ours, after something was done and all that waits was counted. */
async function othersAfter(run: (inner: TransactionSql) => Promise<unknown>): Promise<string[]> {
  return undone(sql, async (transaction) => {
    await run(transaction);
    await transaction`select private.fold_figures(100000)`;
    await transaction`set constraints all immediate`;
    return fingerprint(transaction, tables, ours);
  });
}

const unchanged = await othersAfter(async () => {});

async function countOf(job: PromiseLike<readonly { count?: unknown }[]>): Promise<number> {
  return Number((await job)[0]?.count);
}

describe("nothing of the twins changes", () => {
  it.each(callables.filter((callable) => !isReading(callable)))(
    "by $signature",
    async (callable) => {
      const after = await othersAfter(async (transaction) => {
        for (const { call } of callsBy(callable)) {
          await transaction
            .savepoint(async (inner) => {
              await become(inner, { userId: ours.users.owner.id });
              await inner.unsafe(call);
              await inner`reset role`;
            })
            .catch((error: unknown) => {
              if (!(error instanceof postgres.PostgresError)) throw error;
            });
          await transaction`reset role`;
        }
      });
      expect(after).toEqual(unchanged);
    },
  );

  const campaignId = ours.campaignId;
  const email = "cliente@exemple.fr";
  it.each<[string, (inner: ISql) => Promise<unknown>]>([
    ["a turn of somebody known", (inner) => spin(inner, { campaignId, email })],
    [
      "a turn that gives a new customer nothing",
      async (inner) => {
        await inner`update public.rewards set stock = 0 where org_id = ${ours.id}`;
        return spin(inner, { campaignId, email: "nouvelle@exemple.fr" });
      },
    ],
    ["a review of somebody known", (inner) => review(inner, { campaignId, email, rating: 2 })],
    [
      "a code at the till",
      (inner) =>
        redeem(inner, { userId: ours.users.cashier.id, code: ours.code, storeId: ours.storeId }),
    ],
    [
      "a code for points at the till",
      async (inner) => {
        const [spend] = await inner<{ code: string }[]>`
          select code from public.points_spends where org_id = ${ours.id} and status = 'available'`;
        const { id: userId } = ours.users.cashier;
        const outcome = await redeem(inner, {
          ...{ userId, storeId: ours.storeId },
          code: spend?.code ?? "",
        });
        expect(outcome).toBe("redeemed");
      },
    ],
    [
      "a code that ends",
      async (inner) => {
        await inner`update public.redemptions set expires_at = now() where org_id = ${ours.id} and status = 'available'`;
        expect(await countOf(inner`select private.expire_codes(100) as count`)).toBeGreaterThan(0);
      },
    ],
    [
      "points, and a code for them, that end",
      async (inner) => {
        await inner`update public.points_ledger set expires_at = now() where org_id = ${ours.id} and kind = 'earned'`;
        expect(await countOf(inner`select private.expire_points(100) as count`)).toBeGreaterThan(0);
        await inner`update public.points_spends set expires_at = now() where org_id = ${ours.id} and status = 'available'`;
        expect(await countOf(inner`select private.expire_points(100) as count`)).toBeGreaterThan(0);
      },
    ],
    [
      "a turn that is judged",
      async (inner) => {
        await spin(inner, { campaignId, email });
        expect(await countOf(inner`select private.judge_spins(100) as count`)).toBe(1);
      },
    ],
    [
      "somebody who has not been there for three years",
      async (inner) => {
        await inner`
          update public.customers set created_at = now() - interval '4 years', last_activity_at = now() - interval '4 years'
          where org_id = ${ours.id}`;
        expect(await countOf(inner`select private.sweep_customers(100) as count`)).toBeGreaterThan(
          0,
        );
      },
    ],
  ])("by %s", async (_, run) => {
    expect(await othersAfter(run)).toEqual(unchanged);
  });
});

it("a review shows the code that was given with it, and not its twin", async () => {
  const shown = await undone(sql, async (inner) => {
    const [row] = await inner<{ id: string }[]>`
      insert into public.review_actions (org_id, review_id, kind, redemption_id)
      select r.org_id, r.id, 'gesture', ${ours.usedId} from public.pre_spin_reviews r
      where r.org_id = ${ours.id} order by r.id limit 1
      returning review_id as id`;
    // Written last, ours lies behind theirs.
    for (const { id } of [theirs, ours]) {
      await inner`update public.redemptions set reward_name = ${id} where org_id = ${id}`;
    }
    await become(inner, { userId: ours.users.owner.id });
    const [detail] = await inner`
      select public.review_detail(${row?.id ?? ""}) #>> '{gesture,given,reward}' as reward`;
    return detail?.reward;
  });
  expect(shown).toBe(ours.id);
});

it("a prize is mailed to its own winner, in their language", async () => {
  const mails = await undone(sql, async (inner) => {
    const [won] = await inner<{ id: string; nonce: string; email: string }[]>`
      select s.id, s.nonce, s.end_user_email as email
      from public.spins s join public.redemptions r on r.org_id = s.org_id and r.spin_id = s.id
      where s.org_id = ${ours.id} and r.code = ${ours.code}`;
    if (won === undefined) throw new Error("The wheel gave no code.");
    await inner`
      update public.spins set end_user_email = case org_id when ${ours.id} then 'notre@exemple.fr' else 'jumelle@exemple.fr' end
      where id = ${won.id}`;
    await inner`
      update public.customers c set locale = case org_id when ${ours.id} then 'es' else 'de' end
      where c.id in (select customer_id from public.spins s where s.id = ${won.id})`;
    // Written last, ours lies behind theirs.
    await inner`update public.spins set end_user_name = end_user_name where id = ${won.id} and org_id = ${ours.id}`;
    await inner`update public.customers set phone = phone where org_id = ${ours.id}`;
    await inner`select public.mail_prize(${ours.campaignId}, ${won.id}, ${won.nonce}, null, 'x')`;
    return inner`
      select recipient, data ->> 'locale' as locale from private.outbox where template = 'prize' and data ->> 'code' = ${ours.code}`;
  });
  expect([...mails]).toEqual([{ recipient: "notre@exemple.fr", locale: "es" }]);
});
