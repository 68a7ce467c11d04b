import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import WebSocket from "ws";
import { readChoices } from "../scripts/choices.ts";
import { signToken } from "../tests/harness/signed-tokens.ts";
import { type BenchApp, openBenchApp } from "./bench-app.ts";
import { createCleanUp } from "./clean-up.ts";
import { percentile, pgbench } from "./load.ts";
import { processorMs } from "./processor.ts";
import { median, row, say, table } from "./report.ts";

/** `npm run bench:realtime`: how soon 2,000 open screens know what changed, what one costs who does not read, and what channels cost a spin. */

const SUBSCRIBERS = 2_000;

/** Screens that come from one address. */
const OF_ADDRESS = 400;

/** Changes that are broadcast to all of them, and the pause between two, in milliseconds. */
const CHANGES = 40;
const PAUSE_MS = 250;

/** Most that a change may take from its commit to the last of 95 in 100 screens, in milliseconds. */
const TARGET_MS = 250;

/** Size, in characters, and number of the messages to a screen that does not read. */
const LONG = 50_000;
const LONG_CHANGES = 1_000;

const ROUNDS = 3;
const SECONDS = 4;

/** The organisation of `seed.sql`. */
const ORGANIZATION = "00000001-0000-4000-8000-000000000000";

readChoices("npm run bench:realtime", {});
const cleanUp = createCleanUp();
const app = await openBenchApp();
cleanUp.add(() => app.stop());
try {
  const token = await signIn(app);
  await benchSpins(app, token);
  await benchSubscribers(app, token);
} finally {
  await cleanUp.run();
}

/** Makes an owner of the merchant with a session, and signs the token that they would have. */
async function signIn({ sql, dataFolder }: BenchApp): Promise<string> {
  const [user, session] = [randomUUID(), randomUUID()];
  await sql`insert into auth.users (id, email, email_confirmed_at) values (${user}, 'banc@example.com', now())`;
  await sql`insert into auth.sessions (id, user_id, aal) values (${session}, ${user}, 'aal1')`;
  await sql`
    insert into public.organization_members (org_id, user_id, role) values (${ORGANIZATION}, ${user}, 'owner')`;
  const claims = { role: "authenticated", sub: user, session_id: session, aal: "aal1" };
  return signToken(dataFolder, claims);
}

/** Opens a screen that listens to the merchant's changes. */
async function openScreen(
  { url, publishableKey }: BenchApp,
  token: string,
  { kind, address }: { kind: "activity" | "codes"; address: number },
): Promise<WebSocket> {
  const socket = new WebSocket(
    `${url.replace("http", "ws")}/realtime/v1/websocket?apikey=${publishableKey}&vsn=2.0.0`,
    { headers: { "x-forwarded-for": `198.51.100.${address}` }, perMessageDeflate: false },
  );
  await once(socket, "open");
  const payload = { access_token: token, config: { private: true } };
  socket.send(JSON.stringify(["1", "1", topicOf(kind), "phx_join", payload]));
  const [answer] = await once(socket, "message");
  if (!String(answer).includes('"status":"ok"')) throw new Error(String(answer));
  return socket;
}

function topicOf(kind: "activity" | "codes"): string {
  return `realtime:organization:${ORGANIZATION}:${kind}`;
}

function change({ sql }: BenchApp, kind: "activity" | "codes", payload: object) {
  const topic = topicOf(kind).replace("realtime:", "");
  return sql`select realtime.send(${JSON.stringify(payload)}::text::jsonb, 'change', ${topic}, true)`;
}

async function benchSubscribers(bench: BenchApp, token: string): Promise<void> {
  const waits: number[] = [];
  const note = (data: WebSocket.RawData) => {
    const sent = /"sent": ?([\d.]+)/.exec(data.toString())?.[1];
    if (sent) waits.push(performance.now() - Number(sent));
  };
  const before = await memoryMb(bench.serverPid);
  const opened = performance.now();
  const screens: WebSocket[] = [];
  for (let i = 0; i < SUBSCRIBERS; i += 50) {
    const some = Array.from({ length: 50 }, (_, n) =>
      openScreen(bench, token, { kind: "activity", address: Math.floor((i + n) / OF_ADDRESS) }),
    );
    screens.push(...(await Promise.all(some)));
  }
  const joinMs = (performance.now() - opened) / SUBSCRIBERS;
  for (const screen of screens) screen.on("message", note);
  const open = await memoryMb(bench.serverPid);

  const spent = await processorMs([bench.serverPid]);
  for (let i = 0; i < CHANGES; i += 1) {
    // From before the commit: what is measured is never less than what is asked for.
    await change(bench, "activity", { sent: performance.now() });
    await delay(PAUSE_MS);
  }
  await until(() => waits.length >= CHANGES * SUBSCRIBERS);
  const used = (await processorMs([bench.serverPid])) - spent;
  const ascending = Float64Array.from(waits).sort();
  const ms = (share: number) => percentile(ascending, share).toFixed(0);
  say(`\n${SUBSCRIBERS} open screens, ${CHANGES} changes, each told to all`);
  table(
    ["", "p50 ms", "p95 ms", "p99 ms", "most ms", "missed"],
    [
      row(
        `commit to message (target p95 ${TARGET_MS})`,
        ms(0.5),
        ms(0.95),
        ms(0.99),
        ms(1),
        String(CHANGES * SUBSCRIBERS - waits.length),
      ),
    ],
  );
  say(
    `a join ${joinMs.toFixed(1)} ms; a message ${((used / waits.length) * 1_000).toFixed(0)} µs of the server's processor; ` +
      `memory of the server ${before.toFixed(0)} MB, ${open.toFixed(0)} MB with all of them open`,
  );

  const slow = await openScreen(bench, token, { kind: "codes", address: 99 });
  let isDropped = false;
  slow.once("close", () => {
    isDropped = true;
  });
  slow.pause();
  const text = "x".repeat(LONG);
  let sent = 0;
  let most = 0;
  while (sent < LONG_CHANGES && (await listeners(bench)) > SUBSCRIBERS) {
    for (let i = 0; i < 20; i += 1) await change(bench, "codes", { text });
    sent += 20;
    most = Math.max(most, await memoryMb(bench.serverPid));
  }
  slow.resume();
  await until(() => isDropped);
  say(
    `a screen that does not read: ${isDropped ? "dropped" : "NOT DROPPED"} after ${((sent * LONG) / 1e6).toFixed(0)} MB were sent to it; ` +
      `memory of the server at most ${most.toFixed(0)} MB`,
  );
  for (const screen of screens) screen.terminate();
}

/** Spins with nobody listening, and with a dashboard open, in turn. */
async function benchSpins(bench: BenchApp, token: string): Promise<void> {
  const rounds = new Map<string, { perSecond: number; p50: number; server: number }[]>();
  await pgbench(bench.databaseUrl, 100, SECONDS);
  await bench.sql`analyze`;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of ["nobody listens", "a dashboard listens"]) {
      const screens =
        name === "nobody listens"
          ? []
          : [
              await openScreen(bench, token, { kind: "activity", address: 1 }),
              await openScreen(bench, token, { kind: "codes", address: 1 }),
            ];
      const spent = await processorMs([bench.serverPid]);
      const { perSecond, p50 } = await pgbench(bench.databaseUrl, 100, SECONDS);
      const server = (await processorMs([bench.serverPid])) - spent;
      const measure = { perSecond, p50, server: server / (perSecond * SECONDS) };
      rounds.set(name, [...(rounds.get(name) ?? []), measure]);
      for (const screen of screens) screen.terminate();
      await until(async () => (await listeners(bench)) === 0);
    }
  }
  say(`\nSpins by pgbench, 64 connections (median of ${ROUNDS} × ${SECONDS} s, in turn)`);
  table(
    ["", "per second", "p50 ms", "server µs a spin"],
    [...rounds].map(([name, measures]) =>
      row(
        name,
        median(measures.map(({ perSecond }) => perSecond)).toFixed(0),
        median(measures.map(({ p50 }) => p50)).toFixed(1),
        (median(measures.map(({ server }) => server)) * 1_000).toFixed(0),
      ),
    ),
  );
}

/** Open connections, as the server counts them. */
async function listeners({ url }: BenchApp): Promise<number> {
  const answer = await fetch(`${url}/metrics`);
  return Number(/^realtime_listeners\{kind="connections"\} (\d+)$/m.exec(await answer.text())?.[1]);
}

/** Memory of a process, in megabytes (Linux). */
async function memoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / 1_024;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await isSo()) && performance.now() < deadline) await delay(50);
}
