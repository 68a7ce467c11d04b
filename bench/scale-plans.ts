import postgres, { type Sql, type TransactionSql } from "postgres";
import type { BenchApp } from "./bench-app.ts";
import type { Call } from "./scale-calls.ts";
import type { Owner } from "./scale-plant.ts";

/** From its sixth run on, PostgreSQL may use a generic plan: that one is examined. */
const RUNS = 7;

/** The plans of every statement that a call runs, functions included, as `auto_explain` logs them. */
export async function plansOf(app: BenchApp, owner: Owner, call: Call): Promise<string[]> {
  const plans: string[] = [];
  const sql = postgres(app.databaseUrl, {
    max: 1,
    onnotice: ({ message }) => {
      if (message?.startsWith("duration:")) plans.push(message);
    },
  });
  try {
    await sql.unsafe(`
      load 'auto_explain';
      set auto_explain.log_min_duration = 0;
      set auto_explain.log_analyze = on;
      set auto_explain.log_nested_statements = on;
      set auto_explain.log_level = notice`);
    await sql.begin(async (transaction) => {
      const claims = {
        sub: owner.id,
        session_id: await sessionOf(app.sql, owner.id),
        aal: "aal1",
      };
      await transaction`
        select set_config('request.jwt.claim.sub', ${owner.id}, true),
          set_config('request.jwt.claims', ${JSON.stringify(claims)}, true), set_config('role', 'authenticated', true)`;
      for (let run = 0; run < RUNS; run += 1) {
        plans.length = 0;
        await ask(transaction, call);
      }
    });
  } finally {
    await sql.end();
  }
  return plans;
}

async function ask(sql: TransactionSql, call: Call): Promise<void> {
  if ("sql" in call) {
    await sql.unsafe(call.sql);
    return;
  }
  const { large, rpc } = call;
  const names = Object.keys(large);
  const list = names.map((name, place) => `${name} => $${place + 1}${castOf(large[name])}`);
  const values = names.map((name) => argument(large[name]));
  await sql.unsafe(`select public.${rpc}(${list.join(", ")})`, values);
}

const castOf = (value: unknown) => (typeof value === "object" ? "::text::jsonb" : "");
const argument = (value: unknown) =>
  typeof value === "number" ? value : typeof value === "string" ? value : JSON.stringify(value);

async function sessionOf(sql: Sql, userId: string): Promise<string> {
  const [session] = await sql<{ id: string }[]>`
    select id from auth.sessions where user_id = ${userId} order by created_at desc limit 1`;
  return session?.id ?? "";
}

/** Names of tables of which some plan read more rows than `most` without an index: a limit may end such a reading early. */
export function readWhole(plans: string[], large: ReadonlySet<string>, most: number): string[] {
  const nodes = plans.flatMap((plan) => plan.split(/\n *->/));
  const names = nodes.flatMap((node) => {
    const name = node.match(/Seq Scan on (?:\w+\.)?(\w+)/)?.[1];
    const passed = Number(node.match(/\(actual [^\n]*rows=(\d+)/)?.[1] ?? 0);
    const dropped = Number(node.match(/Rows Removed by Filter: (\d+)/)?.[1] ?? 0);
    return name && large.has(name) && passed + dropped > most ? [name] : [];
  });
  return [...new Set(names)];
}

/** The indexes by which the plans came to rows of large tables. */
export function pathsOf(plans: string[], large: ReadonlySet<string>): string[] {
  const used = plans.flatMap((plan) => [
    ...[...plan.matchAll(/Scan(?: Backward)? using (\w+) on (?:\w+\.)?(\w+)[^\n]*\(actual /g)]
      .filter(([, , name]) => large.has(name ?? ""))
      .map(([, index]) => index ?? ""),
    ...[...plan.matchAll(/Bitmap Index Scan on (\w+)[^\n]*\(actual /g)].map(
      ([, index]) => index ?? "",
    ),
  ]);
  return [...new Set(used)].sort();
}
