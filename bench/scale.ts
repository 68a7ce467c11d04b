import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import postgres, { type Sql } from "postgres";
import { z } from "zod";
import { createConfirmedUser } from "../server/auth/create-user.ts";
import { readSecrets } from "../server/secrets.ts";
import { row, say, table } from "./report.ts";
import { type Call, calls } from "./scale-calls.ts";
import { openStage, type Stage } from "./stage.ts";

/**
 * `npm run bench:scale [-- --size=0.1] [--plans] [--only=customers]`: every list, dashboard and search at the design's
 * size, at the API, beside the same screen of an empty shop. Fails where a plan reads a table from end to end.
 */

/** p95 at the API, and its ratio to the empty shop. */
const TARGET_MS = 50;
const TARGET_RATIO = 2;

const ROUNDS = 30;
const WARM_UP = 3;

/** Tables of fewer rows are read as a whole with good reason. */
const SMALL_TABLE = 2_000;

const PASSWORD = "un-mot-de-passe-de-banc";
const token = z.object({ access_token: z.string() });

const { values: options } = parseArgs({
  options: {
    size: { type: "string", default: "1" },
    plans: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});

type Owner = { id: string; headers: Record<string, string> };

/** Plants the data set with two owners, of the large organisation and of the empty one. */
async function plant(stage: Stage): Promise<{ large: Owner; empty: Owner }> {
  const { publishableKey } = await readSecrets(stage.dataFolder);
  const create = async (email: string) => {
    const ids: string[] = [];
    await stage.sql.begin(async (sql) => {
      ids.push(await createConfirmedUser(sql, { email, password: PASSWORD, fullName: "Banc" }));
    });
    const response = await fetch(`${stage.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { apikey: publishableKey, "content-type": "application/json" },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    const { access_token } = token.parse(await response.json());
    return {
      id: ids[0] ?? "",
      headers: {
        apikey: publishableKey,
        authorization: `Bearer ${access_token}`,
        "content-type": "application/json",
      },
    };
  };
  const owners = {
    large: await create("grand@exemple.fr"),
    empty: await create("petit@exemple.fr"),
  };
  const began = performance.now();
  const sql = postgres(stage.databaseUrl, { max: 1, onnotice: () => undefined });
  await sql`
    select set_config('bench.size', ${options.size}, false), set_config('bench.owner', ${owners.large.id}, false),
      set_config('bench.newcomer', ${owners.empty.id}, false)`;
  await sql.unsafe(await readFile(new URL("./scale.sql", import.meta.url), "utf8")).simple();
  await sql`vacuum analyze`;
  const [counted] = await sql<{ events: string; customers: string; bytes: string }[]>`
    select sum(reltuples) filter (where relname <> 'customers')::bigint as events,
      sum(reltuples) filter (where relname = 'customers')::bigint as customers,
      pg_size_pretty(pg_database_size(current_database())) as bytes
    from pg_class
    where oid in ('public.scan_events'::regclass, 'public.pre_spin_reviews'::regclass, 'public.spins'::regclass,
      'public.redemptions'::regclass, 'public.customers'::regclass)`;
  await sql.end();
  say(
    `${counted?.events} events, ${counted?.customers} customers, ${counted?.bytes}, ` +
      `made in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
  return owners;
}

/** Milliseconds of calls over the API, in order of length. */
async function time(stage: Stage, owner: Owner, rpc: string, args: object): Promise<number[]> {
  const times: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const began = performance.now();
    const response = await fetch(`${stage.url}/rest/v1/rpc/${rpc}`, {
      method: "POST",
      headers: owner.headers,
      body: JSON.stringify(args),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${rpc}: ${response.status} ${text}`);
    if (round >= 0) times.push(performance.now() - began);
  }
  return times.sort((one, other) => one - other);
}

const quantile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** The plans of every statement that a call runs, functions included, as `auto_explain` tells them. */
async function plansOf(stage: Stage, owner: Owner, { rpc, large }: Call): Promise<string[]> {
  const plans: string[] = [];
  const sql = postgres(stage.databaseUrl, {
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
        session_id: await sessionOf(stage.sql, owner.id),
        aal: "aal1",
      };
      await transaction`
        select set_config('request.jwt.claim.sub', ${owner.id}, true),
          set_config('request.jwt.claims', ${JSON.stringify(claims)}, true), set_config('role', 'authenticated', true)`;
      plans.length = 0;
      const names = Object.keys(large);
      const list = names.map((name, place) => `${name} => $${place + 1}${castOf(large[name])}`);
      const values = names.map((name) => argument(large[name]));
      await transaction.unsafe(`select public.${rpc}(${list.join(", ")})`, values);
    });
  } finally {
    await sql.end();
  }
  return plans;
}

const castOf = (value: unknown) => (typeof value === "object" ? "::text::jsonb" : "");
const argument = (value: unknown) =>
  typeof value === "number" ? value : typeof value === "string" ? value : JSON.stringify(value);

async function sessionOf(sql: Sql, userId: string): Promise<string> {
  const [session] = await sql<{ id: string }[]>`
    select id from auth.sessions where user_id = ${userId} order by created_at desc limit 1`;
  return session?.id ?? "";
}

/** Names of large tables that some plan read from end to end. */
function readWhole(plans: string[], large: ReadonlySet<string>): string[] {
  const names = plans.flatMap((plan) =>
    [...plan.matchAll(/Seq Scan on (?:\w+\.)?(\w+)[^\n]*\(actual /g)].map(([, name]) => name ?? ""),
  );
  return [...new Set(names.filter((name) => large.has(name)))];
}

const stage = await openStage();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => stage.stop().finally(() => process.exit(1)));
}
try {
  const owners = await plant(stage);
  const sized = await stage.sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and reltuples > ${SMALL_TABLE}`;
  const large = new Set(sized.map(({ name }) => name));
  const lines: string[][] = [];
  const failures: string[] = [];
  for (const call of calls.filter(({ name }) => name.includes(options.only))) {
    const plans = await plansOf(stage, owners.large, call);
    const whole = readWhole(plans, large);
    if (whole.length > 0) failures.push(`${call.name}: reads ${whole.join(", ")} from end to end`);
    if (options.plans || whole.length > 0) say(`\n== ${call.name}\n${plans.join("\n")}`);
    const times = await time(stage, owners.large, call.rpc, call.large);
    const empty = call.empty && (await time(stage, owners.empty, call.rpc, call.empty));
    const p95 = quantile(times, 0.95);
    const ratio = empty ? quantile(times, 0.5) / quantile(empty, 0.5) : Number.NaN;
    lines.push(
      row(
        call.name,
        quantile(times, 0.5).toFixed(1),
        p95.toFixed(1),
        empty ? quantile(empty, 0.5).toFixed(1) : "–",
        ratio.toFixed(1),
        [p95 > TARGET_MS && "slow", ratio > TARGET_RATIO && "ratio"].filter(Boolean).join(", "),
      ),
    );
  }
  say(
    `\nAt the API, ${ROUNDS} calls each (targets: p95 ${TARGET_MS} ms, ratio of medians ${TARGET_RATIO})`,
  );
  table(["", "p50 ms", "p95 ms", "empty shop p50", "ratio", "missed"], lines);
  for (const failure of failures) say(`FAILED ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  await stage.stop();
}
