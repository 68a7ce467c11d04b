import { randomUUID } from "node:crypto";
import type { PendingQuery, Row, Sql } from "postgres";
import { z } from "zod";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import type { SessionClaims } from "../auth/tokens.ts";
import type { OpenPool } from "../postgres/connections.ts";
import type { Filter } from "./change-filters.ts";
import type { Content } from "./frames.ts";

/** How often a process says that it is there, in milliseconds. */
const PULSE_MS = 10_000;

/** Silence after which the others take a process for gone, in seconds: it has missed three times to say that it is there. */
const GONE_S = (3 * PULSE_MS) / 1000;

/** Age at which what nobody has fetched is put away, in seconds: listeners fetch at once. */
const LEFT_LYING_S = 60;

/** How often pending messages of the database's transactions are sent, in milliseconds, while somebody listens. */
const PUBLISH_MS = 50;

/** Pause before it is tried again after a failure, in milliseconds: each is in the log. */
const PUBLISH_AGAIN_MS = 1_000;

/** Connections for joins and messages, beside the one that listens. */
const POOL_SIZE = 3;

/** Pause before the connection that listens is made again, in seconds. */
const RELISTEN_S = 0.5;

/** SQLSTATE of a row whose process is not, or no longer, written down. */
const FOREIGN_KEY_VIOLATION = "23503";

/** Channel of the database's notifications. */
const CHANNEL = "tournavis_realtime";

/** For whom a channel acts: a signed-in user, or the service of the secret key, whose right does not end by time. */
export type Claims = SessionClaims | { role: "service_role" };

/** Rights of a member on a channel. */
export type Rights = {
  reads: boolean;
  writes: boolean;
  readsPresence: boolean;
  writesPresence: boolean;
};

/** Somebody who is shown on a channel. */
type Presence = { key: string; ref: string; meta: Record<string, unknown> };

const fields = { topic: z.string() };
const presence = { key: z.string(), ref: z.string() };
const meta = z.record(z.string(), z.unknown());
const row = z.record(z.string(), z.unknown());

const notification = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("broadcast"),
    ...fields,
    event: z.string(),
    payload: z.unknown().optional(),
    /** Base64, in the place of a payload. */
    bytes: z.string().optional(),
    /** The connection that sent it; none for what the database or a server sends. */
    sender: z.string().optional(),
    /** Row of `realtime.messages`. */
    id: z.string().optional(),
  }),
  z.object({
    kind: z.literal("change"),
    ...fields,
    table: z.number(),
    type: z.enum(["INSERT", "UPDATE", "DELETE"]),
    /** When it was written: ISO 8601. */
    at: z.string(),
    record: row.nullable(),
    /** False where the row is too long, and only its key is sent. */
    is_whole: z.boolean(),
    /** Key of the row as it was. */
    old: row.nullable(),
  }),
  z.object({ kind: z.literal("join"), ...fields, ...presence, meta }),
  z.object({ kind: z.literal("leave"), ...fields, ...presence, meta }),
]);

/** Message of the database to all processes. */
export type Notification = z.infer<typeof notification>;

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

const stored = z.object({ body: z.uuid() });

/** The database as the bond between processes: who listens, who is present, what is sent. */
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
   * Callback when messages may have been missed: the connection that listens was lost and is back, or other processes took this
   * one for gone.
   */
  onGap(): void;
  onFailure(error: unknown): void;
};

/** Opens the bond. Nothing is asked of the database before the first topic. */
export function openRelay({ open, loginUrl, onMessage, onGap, onFailure }: RelayOptions): Relay {
  const processId = randomUUID();
  /** Topics that this process listens to, each with the write that records it. */
  const topics = new Map<string, Promise<void>>();
  /** Members no longer shown whose removal failed: topics by the members' references. */
  const owed = new Map<string, string>();
  let ears: Sql | null = null;
  const sql = open(loginUrl, {
    max: POOL_SIZE,
    connection: {
      application_name: "tournavis realtime",
      role: "service_role",
      TimeZone: "UTC",
      statement_timeout: 8_000,
    },
  });
  let pulse: NodeJS.Timeout | undefined;
  let publishing: NodeJS.Timeout | undefined;
  let isClosed = false;
  let started: Promise<unknown> | null = null;
  let isKnown = false;
  let listing: Promise<void> = Promise.resolve();
  let last: Promise<unknown> = Promise.resolve();

  const announce = async () => {
    const [row] = await sql<{ is_new: boolean }[]>`
      insert into realtime.processes (id) values (${processId})
      on conflict (id) do update set seen_at = now()
      returning xmax = 0 as is_new`;
    if (topics.size > 0) {
      await sql`
        insert into realtime.listeners (topic, process_id)
        select topic, ${processId} from unnest(${[...topics.keys()]}::text[]) topic
        on conflict do nothing`;
    }
    const wasForgotten = isKnown && row?.is_new === true;
    isKnown = true;
    if (wasForgotten) onGap();
  };

  /** Does again what was refused since other processes took this one for gone. */
  const asKnown = async (write: () => Promise<unknown>) => {
    try {
      await write();
    } catch (error) {
      if (errorCode(error) !== FOREIGN_KEY_VIOLATION) throw error;
      await announce();
      await write();
    }
  };

  const hear = async (text: string) => {
    const message = await receive(sql, text);
    if (message) onMessage(message);
    else onGap();
  };

  const publishPending = async () => {
    if (topics.size > 0) await sql`select realtime.tell_pending()`;
  };
  const schedulePublishing = (pause = PUBLISH_MS) => {
    if (isClosed) return;
    publishing = setTimeout(() => {
      publishPending().then(
        () => schedulePublishing(),
        (error: unknown) => {
          onFailure(error);
          schedulePublishing(PUBLISH_AGAIN_MS);
        },
      );
    }, pause);
    publishing.unref();
  };

  const start = async () => {
    await announce();
    // A pool of its own, since its one connection reconnects automatically. One that could not listen at first is not kept: it
    // would go on trying beside the next.
    const pool = open(loginUrl, {
      max: 1,
      backoff: () => RELISTEN_S,
      connection: { application_name: "tournavis channels" },
    });
    let listens = 0;
    try {
      await pool.listen(
        CHANNEL,
        (text) => {
          // One after the other, in the order in which they were sent.
          last = last.then(() => hear(text)).catch(onFailure);
        },
        () => {
          listens += 1;
          if (listens === 1) return;
          announce().then(onGap, onFailure);
        },
      );
    } catch (error) {
      await pool.end({ timeout: 0 });
      throw error;
    }
    ears = pool;
    pulse = setInterval(() => beat().catch(onFailure), PULSE_MS);
    pulse.unref();
    schedulePublishing();
  };
  const ready = () => {
    started ??= start().catch((error: unknown) => {
      started = null;
      throw error;
    });
    return started;
  };

  /** Runs what writes down who listens one after the other: who comes back at once is not forgotten by who left. */
  const inOrder = (work: () => Promise<void>) => {
    const done = listing.then(work);
    listing = done.catch(() => undefined);
    return done;
  };

  /** Deletes the presences that the query names, and sends « leave » to everybody in their channels. */
  const hide = (which: PendingQuery<Row[]>) => sql`
    with gone as (delete from realtime.presences p where ${which} returning p.topic, p.key, p.ref, p.meta)
    select realtime.publish(jsonb_build_object(
      'kind', 'leave', 'topic', topic, 'key', key, 'ref', ref, 'meta', meta)) from gone`;

  const forget = async (which: PendingQuery<Row[]>) => {
    await hide(sql`p.process_id in (select o.id from realtime.processes o where ${which})`);
    await sql`delete from realtime.processes o where ${which}`;
  };

  const disappear = async (topic: string, ref: string) => {
    owed.set(ref, topic);
    await hide(sql`p.topic = ${topic} and p.ref = ${ref}`);
    owed.delete(ref);
  };

  /** Says that this process is there, and puts away what others that are gone have left. */
  const beat = async () => {
    await announce();
    for (const [ref, topic] of owed) await disappear(topic, ref);
    await forget(sql`o.seen_at < now() - make_interval(secs => ${GONE_S})`);
    // Of topics that nobody listens to any more.
    const left = sql`written_at < now() - make_interval(secs => ${LEFT_LYING_S})`;
    await sql`delete from realtime.pending where ${left}`;
    await sql`delete from realtime.bodies where ${left}`;
    await sql`
      delete from realtime.messages where inserted_at < now() at time zone 'UTC' - interval '1 day'`;
  };

  const publish = (body: Record<string, unknown>) =>
    sql`select realtime.publish(${JSON.stringify(body)}::text::jsonb)`;

  return {
    async rights(topic, claims) {
      const [row] = await sql<
        { reads: boolean; writes: boolean; reads_presence: boolean; writes_presence: boolean }[]
      >`select * from realtime.rights(${topic}, ${JSON.stringify(claims)}::text::jsonb)`;
      return {
        reads: row?.reads ?? false,
        writes: row?.writes ?? false,
        readsPresence: row?.reads_presence ?? false,
        writesPresence: row?.writes_presence ?? false,
      };
    },
    async watch({ role, schema, table, filters }) {
      const found = await sql<{ id: number }[]>`
        select watch as id
        from realtime.watch(${role}, ${schema}, ${table}, ${JSON.stringify(filters)}::text::jsonb)`;
      return found.map(({ id }) => id);
    },
    async readersOf({ table, type, row, readers }) {
      const [found] = await sql<{ answer: unknown }[]>`
        select realtime.readers_of_change(${table}, ${type}, ${JSON.stringify(row)}::text::jsonb,
          ${JSON.stringify(readers)}::text::jsonb) as answer`;
      return readersOfChange.parse(found?.answer ?? null);
    },
    listenTo(topic) {
      const known = topics.get(topic);
      if (known) return known;
      const written = ready().then(() =>
        inOrder(() =>
          asKnown(
            () => sql`
              insert into realtime.listeners (topic, process_id) values (${topic}, ${processId})
              on conflict do nothing`,
          ),
        ),
      );
      topics.set(topic, written);
      // The next who asks tries again.
      written.catch(() => {
        if (topics.get(topic) === written) topics.delete(topic);
      });
      return written;
    },
    async leave(topic) {
      topics.delete(topic);
      await inOrder(async () => {
        // Somebody may have come back meanwhile.
        if (topics.has(topic)) return;
        await sql`delete from realtime.listeners where topic = ${topic} and process_id = ${processId}`;
      });
    },
    async send({ topic, event, content, sender }) {
      const carried = "bytes" in content ? content : { payload: content.json };
      await publish({ kind: "broadcast", topic, event, ...carried, ...(sender && { sender }) });
    },
    async appear(topic, { key, ref, meta }) {
      await asKnown(
        () => sql`
          insert into realtime.presences (topic, ref, key, process_id, meta)
          values (${topic}, ${ref}, ${key}, ${processId}, ${JSON.stringify(meta)}::text::jsonb)
          on conflict (topic, ref) do update set meta = excluded.meta`,
      );
      await publish({ kind: "join", topic, key, ref, meta });
    },
    disappear,
    async presences(topic) {
      return sql<Presence[]>`
        select key, ref, meta from realtime.presences where topic = ${topic} order by ref`;
    },
    async close() {
      isClosed = true;
      await started?.catch(() => undefined);
      clearInterval(pulse);
      clearTimeout(publishing);
      await forget(sql`o.id = ${processId}`).catch(() => undefined);
      await Promise.all([sql.end({ timeout: 1 }), ears?.end({ timeout: 0 })]);
    },
  };
}

/** Reads a notification, whose body may wait in a table; null where it waited there too long. */
async function receive(sql: Sql, text: string): Promise<Notification | null> {
  const value: unknown = JSON.parse(text);
  const reference = stored.safeParse(value);
  if (!reference.success) return notification.parse(value);
  const [row] = await sql<{ body: string }[]>`
    select body from realtime.bodies where id = ${reference.data.body}`;
  return row ? notification.parse(JSON.parse(row.body)) : null;
}
