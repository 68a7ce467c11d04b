import type { Socket } from "node:net";
import postgres, { type Options, type PostgresType, type Sql } from "postgres";
import { isDatabaseAway } from "../../supabase/functions/_shared/http/database-away.ts";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import type { DatabaseHost } from "./address.ts";
import { type SilenceTimeout, withSilenceTimeout } from "./silence-timeout.ts";
import { OpenSockets, socketTo } from "./sockets.ts";

/** How long the connection at hand may be silent before a fresh one is asked, and that one before the database counts as away. */
const DOUBT_MS = 400;
const SILENCE_MS = 1_000;

/** Rows of a kilobyte that have to fit on a disk before it counts as no longer full. */
const ROOM_ROWS = 1_000;

/** Options of the driver; its types leave out the maker of its sockets. */
export type PoolOptions = Options<Record<string, PostgresType>> & { socket?: () => Socket };

/**
 * Answer of a host that takes writes, with its timeline (null where it named none), or the reason
 * why it does not count.
 */
type Answer = { host: DatabaseHost; timeline: number | null } | { code: string };

/** Asks hosts whether they are there. */
export type Probe = {
  /** The host that takes writes: the present one, as long as it does. */
  findPrimary(hosts: readonly DatabaseHost[], present: DatabaseHost): Promise<Answer>;
  /** Whether a host's disk has room. */
  canWrite(host: DatabaseHost): Promise<boolean>;
  close(): Promise<void>;
};

/**
 * Opens a probe, which asks on a connection to each host. Whatever comes from the present one is a sign of life: `pooled` are
 * the bytes that others have received from it.
 */
export function createProbe(adminUrl: string, pooled: () => number): Probe {
  const pools = new Map<DatabaseHost, Sql>();
  const own = new OpenSockets();
  const received = () => pooled() + own.received();
  // A promotion begins a timeline. A host that still writes on an earlier one was replaced: its commits are lost.
  let newest = 0;

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
  const ask = async (
    host: DatabaseHost,
    timeout: SilenceTimeout,
    isOneOfSeveral: boolean,
  ): Promise<Answer> => {
    const sql = pools.get(host) ?? open(host);
    pools.set(host, sql);
    try {
      const [row] = await withSilenceTimeout(
        isOneOfSeveral ? stateOf(sql) : isStandby(sql),
        timeout,
      );
      if (row?.standby !== false) return { code: "in_recovery" };
      return { host, timeline: row.timeline };
    } catch (error) {
      pools.delete(host);
      sql.end({ timeout: 0 }).catch(() => undefined);
      // A host that refuses the account, or one more connection, is there.
      const code = errorCode(error);
      return isDatabaseAway(error) && code !== "53300" ? { code } : { host, timeline: null };
    }
  };
  /** A connection that was made earlier may have been cut: only a fresh one's failure counts. */
  const askTwice = async (
    host: DatabaseHost,
    signs: () => number,
    isOneOfSeveral: boolean,
  ): Promise<Answer> => {
    if (pools.has(host)) {
      const answer = await ask(host, { milliseconds: DOUBT_MS, signs }, isOneOfSeveral);
      if ("host" in answer || pools.has(host)) return answer;
    }
    return ask(host, { milliseconds: SILENCE_MS, signs }, isOneOfSeveral);
  };
  const settled = (answer: { host: DatabaseHost; timeline: number | null }) => {
    newest = Math.max(newest, answer.timeline ?? 0);
    return answer;
  };

  return {
    async findPrimary(hosts, present) {
      if (hosts.length === 1) return askTwice(present, received, false);
      const now = await askTwice(present, received, true);
      // At first it is unknown whether the others are its standbys.
      if (newest > 0 && "host" in now && (now.timeline ?? newest) >= newest) return settled(now);
      const others = hosts.filter((host) => host !== present);
      const answers = await Promise.all(others.map((host) => askTwice(host, () => 0, true)));
      const [best] = [now, ...answers]
        .filter((answer) => "host" in answer)
        .filter(({ timeline }) => timeline !== null && timeline >= newest)
        .sort((one, other) => (other.timeline ?? 0) - (one.timeline ?? 0));
      if (best) return settled(best);
      const isLeft = "host" in now && now.timeline !== null;
      return isLeft ? { code: "left_behind" } : now;
    },
    async canWrite(host) {
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

type State = { standby: boolean; timeline: number | null };

function isStandby(sql: Sql) {
  return sql<State[]>`select pg_catalog.pg_is_in_recovery() as standby, null::integer as timeline`;
}

/** Not asked of a database that is alone: some hosted ones have no log of their own. */
function stateOf(sql: Sql) {
  return sql<State[]>`
    select r.standby, case when not r.standby then
      ('x' || left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 8))::bit(32)::integer
    end as timeline
    from (select pg_catalog.pg_is_in_recovery() as standby) r`;
}
