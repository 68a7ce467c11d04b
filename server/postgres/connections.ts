import { Socket } from "node:net";
import postgres, { type Options, type PostgresType, type Sql } from "postgres";
import { isDatabaseAway, isDiskFull } from "../../supabase/functions/_shared/http/database-away.ts";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { WakeableSleep } from "../jobs/wakeable-sleep.ts";
import type { Log } from "../log.ts";
import { type Patience, unlessSilent } from "./unless-silent.ts";

/** How often a database that answers is asked whether it does. */
const BEAT_MS = 300;

/** How often one that does not is asked: requests are answered again so soon after its return. */
const AWAY_BEAT_MS = 100;

/** How long the connection at hand may be silent before a fresh one is asked, and that one before the database counts as away. */
const DOUBT_MS = 400;
const SILENCE_MS = 1_000;

/** Rows of a kilobyte that have to fit on a disk before it counts as no longer full. */
const ROOM_ROWS = 1_000;

/** How long the loss of a connection may show in answers: what several wait for is asked once. */
const LATELY_MS = 2_000;

/** How long a connection may take to be made. */
const CONNECT_S = 10;

/** What the driver takes; its types leave out the maker of its sockets. */
type PoolOptions = Options<Record<string, PostgresType>> & { socket?: () => Socket };

/** Where a PostgreSQL listens. */
export type DatabaseHost = { host: string; port: number };

/** Opens a pool of connections to the database of an address. */
export type OpenPool = (url: string, options: PoolOptions) => Sql;

/** All connections of this process to its database, and whether that answers. */
export type Connections = {
  /** Opens a pool. While the database is away its queries fail at once, with a code of `isDatabaseAway`. */
  open: OpenPool;
  /** What makes a pool one of ours, for a library that opens its own. */
  options: PoolOptions;
  /** Whether the database does not answer at present. */
  isAway(): boolean;
  /** Whether a connection was lost a moment ago: what failed since may have failed for it. */
  lostLately(): boolean;
  /** Told what a request failed with, where that may be the database's fault: a full disk is remembered. */
  failed(error: unknown): void;
  /** Whether the database cannot write, since its disk is full. */
  isFull(): boolean;
  /** Settles when the database answers: at once, unless it is away. */
  answering(): Promise<void>;
  /** Begins to watch. Until then nothing counts as away: each connection reports its own failure. */
  watch(adminUrl: string): void;
  /** Told by whoever knows that the database is gone: until `moveTo` nothing that still answers is it. */
  lost(code: string): void;
  /** The database is to be found there from now on. */
  moveTo(hosts: readonly DatabaseHost[]): void;
  stop(): Promise<void>;
};

/** Failure of a query that was not sent, since the database is known to be away. */
class DatabaseAway extends Error {
  override readonly name = "DatabaseAway";
  readonly code = "DATABASE_AWAY";
}

/**
 * The one place where a process connects to its database. It makes the driver's sockets and so knows them: when the database
 * goes away all are closed, which ends every query that waits, and new ones fail at once. Whether it is away, a connection
 * of its own finds out, every 0.3 seconds and whenever another one is lost. Of several hosts it takes the one that is not in
 * recovery (docs/decisions/067-database-failures.md).
 */
export function createConnections(atFirst: readonly DatabaseHost[], log: Log): Connections {
  let hosts = atFirst;
  let target = first(hosts);
  let awaySince: number | null = null;
  let fullSince: number | null = null;
  let lastLoss = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  // A database that was killed leaves processes behind, which answer for a moment more.
  let isGone = false;
  let watching: Promise<void> | null = null;
  const waiting: (() => void)[] = [];
  const pooled = new OpenSockets();
  const rest = new WakeableSleep();

  const closeSockets = () => {
    lastLoss = performance.now();
    pooled.close();
  };
  const nowAway = (code: string) => {
    if (awaySince !== null || isStopped) return;
    awaySince = performance.now();
    log({ event: "database_away", level: "error", code });
    closeSockets();
  };
  const nowAnswering = (host: DatabaseHost) => {
    if (host !== target) {
      target = host;
      closeSockets();
    }
    if (awaySince === null) return;
    const seconds = Math.round((performance.now() - awaySince) / 100) / 10;
    log({ event: "database_back", seconds });
    awaySince = null;
    for (const resolve of waiting.splice(0)) resolve();
  };

  const options: PoolOptions = {
    // Nothing waits for a database that is away, and the watch below asks in its place.
    backoff: false,
    connect_timeout: CONNECT_S,
    onnotice: () => undefined,
    socket: () => {
      const socket = socketTo(target);
      // Once the driver listens to it.
      if (awaySince !== null) setImmediate(() => socket.destroy(new DatabaseAway()));
      else socket.connect(target.port, target.host);
      pooled.add(socket);
      const noteLoss = () => {
        // What the driver itself has ended, idle or too old, is no loss.
        if (socket.writableEnded) return;
        lastLoss = performance.now();
        rest.wake();
      };
      socket.once("error", noteLoss).prependOnceListener("end", noteLoss);
      return socket;
    },
  };

  const watch = async (adminUrl: string) => {
    const probe = createProbe(adminUrl, () => pooled.received());
    while (!isStopped) {
      const asked = hosts;
      const answer = await probe.findPrimary(asked, target);
      // A host that was moved away from meanwhile says nothing about the present one.
      if (asked === hosts && !isGone && !isStopped) {
        if ("host" in answer) nowAnswering(answer.host);
        else nowAway(answer.code);
        if (fullSince !== null && awaySince === null && (await probe.canWrite(target))) {
          log({ event: "database_writes_again" });
          fullSince = null;
        }
      }
      await rest.sleep(awaySince === null ? BEAT_MS : AWAY_BEAT_MS);
    }
    await probe.close();
  };

  return {
    open: (url, own) => postgres(url, { ...options, ...own }),
    options,
    isAway: () => awaySince !== null,
    lostLately: () => performance.now() - lastLoss < LATELY_MS,
    isFull: () => fullSince !== null,
    failed(error) {
      if (!isDiskFull(error) || fullSince !== null) return;
      fullSince = performance.now();
      log({ event: "database_full", level: "error", code: errorCode(error) });
    },
    answering: () =>
      awaySince === null || isStopped
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push(resolve)),
    watch(adminUrl) {
      watching ??= watch(adminUrl);
    },
    lost(code) {
      isGone = true;
      nowAway(code);
    },
    moveTo(others) {
      isGone = false;
      hosts = others;
      target = first(hosts);
      rest.wake();
    },
    async stop() {
      isStopped = true;
      rest.wake();
      for (const resolve of waiting.splice(0)) resolve();
      await watching;
    },
  };
}

/** Sockets of one purpose, as long as they are open. */
class OpenSockets {
  readonly #sockets = new Set<Socket>();

  add(socket: Socket): Socket {
    for (const known of this.#sockets) if (known.destroyed) this.#sockets.delete(known);
    this.#sockets.add(socket);
    return socket;
  }

  /** Bytes that have come over them. */
  received(): number {
    let bytes = 0;
    for (const socket of this.#sockets) bytes += socket.bytesRead;
    return bytes;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }
}

/** A socket that is not connected yet. (The driver reads the host's name from it, for the certificate.) */
function socketTo({ host, port }: DatabaseHost): Socket {
  return Object.assign(new Socket(), { host, port }).setNoDelay();
}

function first([host]: readonly DatabaseHost[]): DatabaseHost {
  if (!host) throw new Error("a database without a host");
  return host;
}

/** What a host answered: that it takes writes, or why it does not count. */
type Answer = { host: DatabaseHost } | { code: string };

/**
 * Asks hosts whether they are there, on a connection each. Whatever comes from the present one is a sign of life: `pooled` are
 * the bytes that others have received from it.
 */
function createProbe(adminUrl: string, pooled: () => number) {
  const pools = new Map<DatabaseHost, Sql>();
  const own = new OpenSockets();
  const received = () => pooled() + own.received();

  const open = (host: DatabaseHost): Sql => {
    const options: PoolOptions = {
      max: 1,
      max_lifetime: 0,
      prepare: false,
      fetch_types: false,
      backoff: false,
      onnotice: () => undefined,
      connection: { application_name: "tournavis watch" },
      socket: () => own.add(socketTo(host).connect(host.port, host.host)),
    };
    return postgres(adminUrl, options);
  };
  const ask = async (host: DatabaseHost, patience: Patience): Promise<Answer> => {
    const sql = pools.get(host) ?? open(host);
    pools.set(host, sql);
    try {
      const [row] = await unlessSilent(
        sql<{ standby: boolean }[]>`select pg_catalog.pg_is_in_recovery() as standby`,
        patience,
      );
      return row?.standby === false ? { host } : { code: "in_recovery" };
    } catch (error) {
      pools.delete(host);
      sql.end({ timeout: 0 }).catch(() => undefined);
      // Whoever refuses the account, or one more connection, is there.
      const code = errorCode(error);
      return isDatabaseAway(error) && code !== "53300" ? { code } : { host };
    }
  };
  /** A connection that was made earlier may have been cut: only a fresh one's failure counts. */
  const askTwice = async (host: DatabaseHost, signs: () => number): Promise<Answer> => {
    if (pools.has(host)) {
      const answer = await ask(host, { milliseconds: DOUBT_MS, signs });
      if ("host" in answer || pools.has(host)) return answer;
    }
    return ask(host, { milliseconds: SILENCE_MS, signs });
  };

  return {
    /** The first host that takes writes; the present one, if it is among those that do. */
    async findPrimary(hosts: readonly DatabaseHost[], present: DatabaseHost): Promise<Answer> {
      const answer = await askTwice(present, received);
      if ("host" in answer || hosts.length === 1) return answer;
      const others = hosts.filter((host) => host !== present);
      const answers = await Promise.all(others.map((host) => askTwice(host, () => 0)));
      return answers.find((other) => "host" in other) ?? answer;
    },
    /** Whether there is room: a temporary table takes its own of the same disk, and gives it back. */
    async canWrite(host: DatabaseHost): Promise<boolean> {
      const sql = pools.get(host);
      if (!sql) return false;
      return sql
        .begin(async (transaction) => {
          await transaction`
            create temporary table room on commit drop as
            select repeat('x', 1000) as text from generate_series(1, ${ROOM_ROWS}::integer)`;
        })
        .then(
          () => true,
          () => false,
        );
    },
    async close() {
      await Promise.all([...pools.values()].map((sql) => sql.end({ timeout: 1 })));
    },
  };
}
