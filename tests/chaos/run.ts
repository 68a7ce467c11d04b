import { chmod } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { temporaryFolder } from "../harness/cluster.ts";
import { layLine } from "../harness/line.ts";
import { judge } from "./books.ts";
import { Crowd } from "./crowd.ts";
import { type Finding, KINDS, type Kind } from "./finding.ts";
import { Installation } from "./installation.ts";
import { databaseProcesses, gone, killNow } from "./processes.ts";
import { BLOWS, type Blow, CUTS, type Cut, type Round, schedule } from "./schedule.ts";
import { openShop, openStaff } from "./shop.ts";

/** So many of what was answered last is asked again after a recovery. */
const ASKED_AGAIN = 20;

/** How often something was struck, and how long it took at most until somebody was answered again, in milliseconds. */
type Struck = { times: number; longestMs: number };

/** Observations of a run. */
type Outcome = {
  struck: ReadonlyMap<Blow | Cut, Struck>;
  /** Requests that were answered, by their kind, and how many of those were sent more than once. */
  acknowledged: ReadonlyMap<Kind, { answered: number; repeated: number }>;
  findings: Finding[];
  /** Times the server ended since its database had died three times within a minute. */
  gaveUp: number;
};

type World = { place: Installation; crowd: Crowd; sql: Sql; cutClients: () => void };

async function strike(what: Blow, { place, sql }: World): Promise<void> {
  if (what === "server") return place.kill();
  const { postmaster, servants } = await databaseProcesses(place.folder, sql);
  switch (what) {
    case "postmaster":
      killNow([postmaster]);
      return gone(postmaster);
    case "backend":
      return killNow(await servingBackend(sql));
    case "database":
    case "everything":
      if (what === "everything") place.kill();
      killNow([postmaster, ...servants]);
      return gone(postmaster);
  }
}

/** One process that serves a connection of the server, and is at work if any is. */
async function servingBackend(sql: Sql): Promise<number[]> {
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and application_name like 'tournavis%' and pid <> pg_backend_pid()
    order by state = 'active' desc, xact_start, pid limit 1`;
  return rows.map(({ pid }) => pid);
}

async function cut(what: Cut, share: number, { sql, cutClients }: World): Promise<void> {
  if (what === "clients' connections") return cutClients();
  await sql`
    select pg_terminate_backend(pid) from (
      select pid, row_number() over (order by pid) as n, count(*) over () as all
      from pg_stat_activity
      where datname = current_database() and application_name like 'tournavis%') a
    where n <= ceil(a.all * ${share}::double precision)`;
}

/** Strikes, and answers how long it took until somebody was answered who asked afterwards. */
async function outage(crowd: Crowd, blow: () => Promise<void>): Promise<number> {
  crowd.expectTrouble();
  const from = performance.now();
  await blow();
  return (await crowd.answerSince(performance.now())) - from;
}

/**
 * Kills and cuts on a seeded schedule, under load; after each recovery compares the responses with the database, and its
 * books with its events. `say` receives a line per round.
 */
export async function chaos(options: {
  seed: number;
  rounds: number;
  say: (line: string) => void;
}): Promise<Outcome> {
  const { seed, rounds, say } = options;
  const { folder, remove } = await temporaryFolder("tournavis-chaos-");
  await chmod(folder, 0o711);
  const place = new Installation(folder);
  const line = await layLine(await place.url);
  const url = line.url.replace(/\/$/, "");
  const open = async () => postgres(await place.databaseUrl, { max: 2, onnotice: () => undefined });
  let sql = await open();
  const shop = await openShop(sql);
  const staff = await openStaff(shop.organization, folder);
  const crowd = new Crowd(shop, staff, { seed, persists: true });
  const struck = new Map<Blow | Cut, Struck>();
  for (const what of [...BLOWS, ...CUTS]) struck.set(what, { times: 0, longestMs: 0 });
  const findings: Finding[] = [];
  const count = (what: Blow | Cut, ms: number) => {
    const { times = 0, longestMs = 0 } = struck.get(what) ?? {};
    struck.set(what, { times: times + 1, longestMs: Math.max(longestMs, ms) });
  };

  const play = async (round: Round, from: number) => {
    const playing = crowd.play(url);
    // Whatever fails while they play is the end of it.
    const unlessOver = <T>(what: Promise<T>) => Promise.race([what, playing.then(() => what)]);
    const world: World = { place, crowd, sql, cutClients: line.cut };
    const said: string[] = [];
    const blow = async (what: Blow | Cut, strikes: () => Promise<void>) => {
      const ms = await unlessOver(outage(crowd, strikes));
      count(what, ms);
      said.push(`${what} ${ms.toFixed(0)} ms`);
    };
    if (round.cut !== null) {
      const { answers, ms, what, share } = round.cut;
      await unlessOver(crowd.answers(answers));
      await pause(ms);
      await blow(what, () => cut(what, share, world));
    }
    const { answers, ms, what } = round.kill;
    await unlessOver(crowd.answers(answers));
    await pause(ms);
    await blow(what, async () => {
      await strike(what, world);
      if (round.againMs === null) return;
      await pause(round.againMs);
      place.kill();
    });
    crowd.stop();
    await playing;
    await sql.end({ timeout: 0 });
    sql = await open();
    let found = await judge(sql, shop, crowd.asked);
    if (found.length === 0) {
      await crowd.askAgain(url, Math.max(from, crowd.asked.length - ASKED_AGAIN));
      found = await judge(sql, shop, crowd.asked);
    }
    return { said: said.join(", "), found };
  };

  try {
    for (const [index, round] of schedule(seed, rounds).entries()) {
      const { said, found } = await play(round, crowd.asked.length);
      const news = [...found, ...crowd.findings.splice(0), ...place.findings.splice(0)];
      findings.push(...news);
      say(`${index + 1}/${rounds} ${said}`);
      for (const { rule, detail } of news) say(`  ${rule}: ${detail}`);
      // A fault in the database stays there.
      if (found.length > 0) break;
    }
  } finally {
    await sql.end({ timeout: 0 });
    line.end();
    await place.stop();
    findings.push(...place.findings.splice(0));
    await remove();
  }
  return {
    struck,
    acknowledged: new Map(
      KINDS.map((kind) => {
        const answered = crowd.asked.filter((one) => one.kind === kind && one.answer !== null);
        const repeated = answered.filter(({ attempts }) => attempts > 1);
        return [kind, { answered: answered.length, repeated: repeated.length }];
      }),
    ),
    findings,
    gaveUp: place.gaveUp,
  };
}
