import { randomBytes, randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { BenchApp } from "./bench-app.ts";
import { type Measure, percentile, wrk } from "./load.ts";
import { processorMs, servingProcesses } from "./processor.ts";
import { row, say, table } from "./report.ts";

const SECONDS = 10;

/** Customers who come in a second. */
const CUSTOMERS = 10;

/** Connections that sign in. */
const CONNECTIONS = 250;

/** Requests that come in meanwhile (one of `flood.lua`); null for none. */
type Flood = { what: string; addresses: number; pauseMs: number } | null;

const FLOODS: readonly (readonly [name: string, flood: Flood])[] = [
  ["quiet", null],
  ["sign-ins of one address, a second apart", { what: "sign_in", addresses: 1, pauseMs: 1_000 }],
  [
    "sign-ins of 200 addresses, a second apart",
    { what: "sign_in", addresses: 200, pauseMs: 1_000 },
  ],
  ...["sign_in", "refresh", "review", "data", "unknown", "large", "campaign"].map(
    (what) =>
      [`${what} of one address, without a pause`, { what, addresses: 1, pauseMs: 0 }] as const,
  ),
];

let seed = 0;

/**
 * Measures customers' waits while others flood the server: page, star and spin of ten customers a
 * second, beside the same on a quiet server. Measures too the cost of one of the flood's requests.
 */
export async function benchFlood(app: BenchApp): Promise<void> {
  await customers(app, 3);
  const rows: string[][] = [];
  let quiet: Spent = { server: Number.NaN, database: Number.NaN };
  for (const [name, flood] of FLOODS) {
    // No address has been counted yet: the flood meets all the work that it can cause.
    await app.sql`truncate private.rate_limits`;
    const before = await spent(app);
    const [waits, floods] = await Promise.all([
      customers(app, SECONDS),
      flood && floodOf(app, flood),
    ]);
    const after = await spent(app);
    const used = {
      server: after.server - before.server,
      database: after.database - before.database,
    };
    if (!floods) quiet = used;
    const each = (part: keyof Spent) =>
      floods
        ? (((used[part] - quiet[part]) * 1_000) / (floods.perSecond * SECONDS)).toFixed(0)
        : "–";
    rows.push(
      row(
        name,
        percentile(waits, 0.5).toFixed(1),
        percentile(waits, 0.95).toFixed(1),
        percentile(waits, 1).toFixed(0),
        floods ? floods.perSecond.toFixed(0) : "–",
        floods ? floods.p99.toFixed(0) : "–",
        floods ? String(floods.bad) : "–",
        each("server"),
        each("database"),
      ),
    );
  }
  say(
    `\nA customer's page, star and spin, ${CUSTOMERS} customers a second, while ${CONNECTIONS} connections flood the server (${SECONDS} s, load ${loadavg()[0]?.toFixed(1)})`,
  );
  table(
    [
      "",
      "p50 ms",
      "p95 ms",
      "max ms",
      "floods/s",
      "their p99 ms",
      "unanswered",
      "server µs each",
      "database µs each",
    ],
    rows,
  );
}

/** Milliseconds of processor time. */
type Spent = { server: number; database: number };

/** Processor time that the server's thread and its connections in PostgreSQL have spent so far. */
async function spent(app: BenchApp): Promise<Spent> {
  const [server, ...backends] = await servingProcesses(app);
  return {
    server: await processorMs(server === undefined ? [] : [server]),
    database: await processorMs(backends),
  };
}

/** How long each call of the customers took, ascending, in milliseconds. */
async function customers(app: BenchApp, seconds: number): Promise<Float64Array> {
  const waits: number[] = [];
  const journeys: Promise<void>[] = [];
  for (let n = 0; n < seconds * CUSTOMERS; n += 1) {
    journeys.push(customer(app.url, n % 100, waits));
    await delay(1_000 / CUSTOMERS);
  }
  await Promise.all(journeys);
  return Float64Array.from(waits).sort();
}

async function customer(url: string, number: number, waits: number[]): Promise<void> {
  const campaignId = `00000003-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const address = `198.18.${number}.${Math.floor(Math.random() * 256)}`;
  const email = `client${randomBytes(6).toString("hex")}@example.com`;
  const timed = async (path: string, body?: unknown) => {
    const begun = performance.now();
    const response = await fetch(`${url}${path}`, {
      headers: { "content-type": "application/json", "x-forwarded-for": address },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    waits.push(performance.now() - begun);
  };
  await timed(`/c/banc-${number}/review`);
  await timed("/functions/v1/review_record", {
    campaign_id: campaignId,
    visit_id: randomUUID(),
    end_user: { first_name: "Camille", last_name: "Martin", email },
    rating: 5,
  });
  await timed("/functions/v1/spin_wheel", {
    campaign_id: campaignId,
    play_id: randomUUID(),
    contact: { name: "Camille Martin", email },
    device_fp: randomBytes(32).toString("hex"),
  });
}

function floodOf(
  app: BenchApp,
  { what, addresses, pauseMs }: NonNullable<Flood>,
): Promise<Measure> {
  seed += 1;
  return wrk(
    app.url,
    "./flood.lua",
    SECONDS,
    {
      BENCH_ADDRESSES: String(addresses),
      BENCH_KEY: app.publishableKey,
      BENCH_PAUSE_MS: String(pauseMs),
      BENCH_SEED: String(seed),
      BENCH_WHAT: what,
    },
    CONNECTIONS,
  );
}
