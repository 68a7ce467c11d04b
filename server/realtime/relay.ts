import type { Sql } from "postgres";
import { z } from "zod";
import type { SessionClaims } from "../auth/tokens.ts";
import type { OpenPool } from "../postgres/connections.ts";
import type { Filter } from "./change-filters.ts";
import type { Content } from "./frames.ts";
import { listenToDatabase, type Notification, readNotification } from "./relay-notifications.ts";
import { createPresences, deleteProcesses, type Presence, publish } from "./relay-presences.ts";
import { createRelayProcess } from "./relay-process.ts";

/** Interval at which a process reports that it is alive, in milliseconds. */
const PULSE_MS = 10_000;

/** Silence after which the others consider a process gone, in seconds: three missed reports. */
const GONE_S = (3 * PULSE_MS) / 1000;

/** Age at which unfetched messages are deleted, in seconds: listeners fetch at once. */
const UNFETCHED_S = 60;

/** Interval at which pending messages of the database's transactions are sent, in milliseconds, while a topic is listened to. */
const PUBLISH_MS = 50;

/** Pause before the next attempt after a failure, in milliseconds: each failure is logged. */
const PUBLISH_AGAIN_MS = 1_000;

/** Connections for joins and messages, beside the one that listens. */
const POOL_SIZE = 3;

/** For whom a channel acts: a signed-in user, or the service of the secret key, whose right does not end by time. */
export type Claims = SessionClaims | { role: "service_role" };

/** Rights of a member on a channel. */
export type Rights = {
  reads: boolean;
  writes: boolean;
  readsPresence: boolean;
  writesPresence: boolean;
};

const readersOfChange = z
  .object({
    schema: z.string(),
    table: z.string(),
    readers: z.array(
      z.object({
        reader: z.number(),
        passed: z.array(z.number()),
        columns: z.array(z.object({ name: z.string(), type: z.string() })),
      }),
    ),
  })
  .nullable();

/** The database as the link between processes: who listens, who is present, what is sent. */
export type Relay = {
  /** Rights of the owner of a token's claims on a channel. */
  rights(topic: string, claims: Claims): Promise<Rights>;
  /** Tables whose changes a role may receive, from now on with a trigger; none where the table is not published. */
  watch(asked: {
    role: Claims["role"];
    schema: string;
    table: string;
    filters: readonly Filter[];
  }): Promise<number[]>;
  /** Which of these readers a change is for, by their places, and what they may see of it; null where it is not published. */
  readersOf(change: {
    table: number;
    type: string;
    row: Record<string, unknown>;
    readers: readonly { claims: Claims; filters: readonly (readonly Filter[])[] }[];
  }): Promise<z.infer<typeof readersOfChange>>;
  /** From now on, changes that the database sends to this topic reach this process. */
  listenTo(topic: string): Promise<void>;
  leave(topic: string): Promise<void>;
  send(message: { topic: string; event: string; content: Content; sender?: string }): Promise<void>;
  appear(topic: string, presence: Presence): Promise<void>;
  disappear(topic: string, ref: string): Promise<void>;
  presences(topic: string): Promise<Presence[]>;
  close(): Promise<void>;
};

type RelayOptions = {
  open: OpenPool;
  /** Address of the API's login. */
  loginUrl: string;
  onMessage(message: Notification): void;
  /**
   * Callback when messages may have been missed: the listening connection was lost and is back, or other processes considered
   * this one gone.
   */
  onGap(): void;
  onFailure(error: unknown): void;
};

/** Opens the relay. The database is not asked anything before the first topic. */
export function openRelay({ open, loginUrl, onMessage, onGap, onFailure }: RelayOptions): Relay {
  const sql = open(loginUrl, {
    max: POOL_SIZE,
    connection: {
      application_name: "tournavis realtime",
      role: "service_role",
      TimeZone: "UTC",
      statement_timeout: 8_000,
    },
  });
  let started: ReturnType<typeof start> | null = null;
  const ready = (): ReturnType<typeof start> => {
    started ??= start().catch((error: unknown) => {
      started = null;
      throw error;
    });
    return started;
  };
  const self = createRelayProcess({ sql, ready, onForgotten: onGap });
  const members = createPresences(sql, self);

  const start = async () => {
    await self.announce();
    const listening = await listenToDatabase({
      open,
      loginUrl,
      onFailure,
      onText: async (text) => {
        const message = await readNotification(sql, text, onFailure);
        if (message) onMessage(message);
        else onGap();
      },
      onReconnected: () => {
        // Messages were missed, whether or not the record can be written.
        self.announce().catch(onFailure).then(onGap);
      },
    });
    const beat = async () => {
      await self.announce();
      await members.retryRemovals();
      await deleteLeftovers(sql);
    };
    const pulse = setInterval(() => beat().catch(onFailure), PULSE_MS);
    pulse.unref();
    const publishing = startPublishing(sql, self.isListening, onFailure);
    const stopTimers = () => {
      clearInterval(pulse);
      publishing.stop();
    };
    return { listening, stopTimers };
  };

  return {
    rights: (topic, claims) => rightsOn(sql, topic, claims),
    watch: (asked) => watchTable(sql, asked),
    readersOf: (change) => readersOf(sql, change),
    listenTo: self.listenTo,
    leave: self.leave,
    async send({ topic, event, content, sender }) {
      const carried = "bytes" in content ? content : { payload: content.json };
      const from = sender === undefined ? {} : { sender };
      await publish(sql, { kind: "broadcast", topic, event, ...carried, ...from });
    },
    appear: members.appear,
    disappear: members.disappear,
    presences: members.of,
    async close() {
      const running = await started?.catch(() => null);
      running?.stopTimers();
      await deleteProcesses(sql, sql`o.id = ${self.id}`).catch(() => undefined);
      await Promise.all([sql.end({ timeout: 1 }), running?.listening.end({ timeout: 0 })]);
    },
  };
}

/** Sends what the database's transactions have left pending, while this process listens to a topic. */
function startPublishing(
  sql: Sql,
  isListening: () => boolean,
  onFailure: (error: unknown) => void,
): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const publishPending = async () => {
    if (isListening()) await sql`select realtime.tell_pending()`;
  };
  const schedule = (pause = PUBLISH_MS) => {
    if (isStopped) return;
    timer = setTimeout(() => {
      publishPending().then(
        () => schedule(),
        (error: unknown) => {
          onFailure(error);
          schedule(PUBLISH_AGAIN_MS);
        },
      );
    }, pause);
    timer.unref();
  };
  schedule();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Deletes the records of processes that are gone, and messages that are no longer needed. */
async function deleteLeftovers(sql: Sql): Promise<void> {
  await deleteProcesses(sql, sql`o.seen_at < now() - make_interval(secs => ${GONE_S})`);
  // Of topics without listeners.
  const isUnfetched = sql`written_at < now() - make_interval(secs => ${UNFETCHED_S})`;
  await sql`delete from realtime.pending where ${isUnfetched}`;
  await sql`delete from realtime.bodies where ${isUnfetched}`;
  await sql`
    delete from realtime.messages where inserted_at < now() at time zone 'UTC' - interval '1 day'`;
}

async function rightsOn(sql: Sql, topic: string, claims: Claims): Promise<Rights> {
  const [row] = await sql<
    { reads: boolean; writes: boolean; reads_presence: boolean; writes_presence: boolean }[]
  >`select * from realtime.rights(${topic}, ${JSON.stringify(claims)}::text::jsonb)`;
  return {
    reads: row?.reads ?? false,
    writes: row?.writes ?? false,
    readsPresence: row?.reads_presence ?? false,
    writesPresence: row?.writes_presence ?? false,
  };
}

async function watchTable(
  sql: Sql,
  { role, schema, table, filters }: Parameters<Relay["watch"]>[0],
): Promise<number[]> {
  const found = await sql<{ id: number }[]>`
    select watch as id
    from realtime.watch(${role}, ${schema}, ${table}, ${JSON.stringify(filters)}::text::jsonb)`;
  return found.map(({ id }) => id);
}

async function readersOf(
  sql: Sql,
  { table, type, row, readers }: Parameters<Relay["readersOf"]>[0],
): ReturnType<Relay["readersOf"]> {
  const [found] = await sql<{ answer: unknown }[]>`
    select realtime.readers_of_change(${table}, ${type}, ${JSON.stringify(row)}::text::jsonb,
      ${JSON.stringify(readers)}::text::jsonb) as answer`;
  return readersOfChange.parse(found?.answer ?? null);
}
