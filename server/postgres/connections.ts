import postgres, { type Sql } from "postgres";
import { isDiskFull } from "../../supabase/functions/_shared/http/database-away.ts";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { InterruptibleSleep } from "../jobs/interruptible-sleep.ts";
import type { Log } from "../log.ts";
import { addressOf, type DatabaseHost } from "./address.ts";
import { createProbe, type PoolOptions } from "./probe.ts";
import { OpenSockets, socketTo } from "./sockets.ts";

/** How often a database that answers is asked whether it does. */
const BEAT_MS = 300;

/** How often one that does not is asked: requests are answered again so soon after its return. */
const AWAY_BEAT_MS = 100;

/** How long the loss of a connection may show in answers: what several wait for is asked once. */
const LATELY_MS = 2_000;

/** How long a connection may take to be made. */
const CONNECT_S = 10;

/** Opens a pool of connections to the database of an address. */
export type OpenPool = (url: string, options: PoolOptions) => Sql;

/** All connections of this process to its database, and whether that answers. */
export type Connections = {
  /** Opens a pool. While the database is away its queries fail at once, with a code of `isDatabaseAway`. */
  open: OpenPool;
  /** Options that make a library's own pool on an address one of ours. */
  optionsFor(url: string, own: PoolOptions): PoolOptions;
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
  /** Called once the database is known to be gone: until `moveTo`, whatever still answers is not it. */
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

/** Start-up parameter that PgBouncer takes for each of its clients. The others are settings of the account. */
function poolerParameters({ connection }: PoolOptions): NonNullable<PoolOptions["connection"]> {
  return connection?.application_name === undefined
    ? {}
    : { application_name: connection.application_name };
}

/**
 * The one place where a process connects to its database. It makes the driver's sockets and so knows them: when the database
 * goes away all are closed, which ends every query that waits, and new ones fail at once. Whether it is away, a connection
 * of its own finds out, every 0.3 seconds and whenever another one is lost. Of several hosts it takes the one that is not in
 * recovery (docs/decisions/067-database-failures.md).
 */
export function createConnections(
  atFirst: readonly DatabaseHost[],
  { log, pooler = null }: { log: Log; pooler?: DatabaseHost | null },
): Connections {
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
  const rest = new InterruptibleSleep();

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

  const openSocket = (host: DatabaseHost) => {
    const socket = socketTo(host);
    // Once the driver listens to it.
    if (awaySince !== null) setImmediate(() => socket.destroy(new DatabaseAway()));
    else socket.connect(host.port, host.host);
    pooled.add(socket);
    const noteLoss = () => {
      // A connection that the driver itself has ended, idle or too old, is no loss.
      if (socket.writableEnded) return;
      lastLoss = performance.now();
      rest.wake();
    };
    socket.once("error", noteLoss).prependOnceListener("end", noteLoss);
    return socket;
  };
  const optionsFor = (url: string, own: PoolOptions): PoolOptions => {
    const options: PoolOptions = {
      // Nothing waits for a database that is away, and the watch below asks in its place.
      backoff: false,
      connect_timeout: CONNECT_S,
      onnotice: () => undefined,
      ...own,
    };
    const [{ host, port }] = addressOf(url).hosts;
    if (pooler === null || pooler.host !== host || pooler.port !== port) {
      return { ...options, socket: () => openSocket(target) };
    }
    return {
      ...options,
      // The next transaction may have another connection of the pooler's, which knows nothing of what was prepared.
      prepare: false,
      connection: poolerParameters(options),
      socket: () => openSocket(pooler),
    };
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
    open: (url, own) => postgres(url, optionsFor(url, own)),
    optionsFor,
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

function first([host]: readonly DatabaseHost[]): DatabaseHost {
  if (!host) throw new Error("a database without a host");
  return host;
}
