import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { z } from "zod";
import type { OpenPool } from "../postgres/connections.ts";
import type { Content } from "./frames.ts";

/** How often a process says that it is there, in milliseconds. */
const PULSE_MS = 10_000;

/** Connections for joins and messages, beside the one that listens. */
const POOL_SIZE = 3;

/** Pause before the connection that listens is made again, in seconds. */
const RELISTEN_S = 0.5;

/** Channel of the database's notifications. */
const CHANNEL = "tournavis_realtime";

/** What somebody may do on a channel. */
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
  z.object({ kind: z.literal("join"), ...fields, ...presence, meta }),
  z.object({ kind: z.literal("leave"), ...fields, ...presence, meta }),
]);

/** What the database tells all processes. */
export type Notification = z.infer<typeof notification>;

const stored = z.object({ body: z.uuid() });

/** The database as the bond between processes: who listens, who is present, what is sent. */
export type Relay = {
  /** What the owner of a token's claims may do on a channel. */
  rights(topic: string, claims: Record<string, unknown>): Promise<Rights>;
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
  /** Callback when messages may have been missed: the connection that listens was lost and is back. */
  onGap(): void;
  onFailure(error: unknown): void;
};

/** Opens the bond. Nothing is asked of the database before the first topic. */
export function openRelay({ open, loginUrl, onMessage, onGap, onFailure }: RelayOptions): Relay {
  const processId = randomUUID();
  const topics = new Set<string>();
  // A pool of its own, since its one connection is made again by itself.
  const ears = open(loginUrl, { max: 1, backoff: () => RELISTEN_S });
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
  let started: Promise<unknown> | null = null;
  let listens = 0;
  let listing: Promise<void> = Promise.resolve();
  let last: Promise<unknown> = Promise.resolve();

  const announce = async () => {
    await sql`
      insert into realtime.processes (id) values (${processId})
      on conflict (id) do update set seen_at = now()`;
    if (topics.size === 0) return;
    await sql`
      insert into realtime.listeners (topic, process_id)
      select topic, ${processId} from unnest(${[...topics]}::text[]) topic
      on conflict do nothing`;
  };

  const start = async () => {
    await announce();
    await ears.listen(
      CHANNEL,
      (text) => {
        // One after the other, in the order of their commits.
        last = last.then(() => receive(sql, text)).then(onMessage, onFailure);
      },
      () => {
        listens += 1;
        if (listens === 1) return;
        announce().then(onGap, onFailure);
      },
    );
    pulse = setInterval(() => beat(sql, announce).catch(onFailure), PULSE_MS);
    pulse.unref();
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
    async listenTo(topic) {
      topics.add(topic);
      await ready();
      await inOrder(async () => {
        await sql`
          insert into realtime.listeners (topic, process_id) values (${topic}, ${processId})
          on conflict do nothing`;
      });
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
      await sql`
        insert into realtime.presences (topic, ref, key, process_id, meta)
        values (${topic}, ${ref}, ${key}, ${processId}, ${JSON.stringify(meta)}::text::jsonb)
        on conflict (topic, ref) do update set meta = excluded.meta`;
      await publish({ kind: "join", topic, key, ref, meta });
    },
    async disappear(topic, ref) {
      const gone = await sql<Presence[]>`
        delete from realtime.presences where topic = ${topic} and ref = ${ref} returning key, ref, meta`;
      for (const presence of gone) await publish({ kind: "leave", topic, ...presence });
    },
    async presences(topic) {
      return sql<Presence[]>`
        select key, ref, meta from realtime.presences where topic = ${topic} order by ref`;
    },
    async close() {
      clearInterval(pulse);
      await started?.catch(() => undefined);
      await sql`delete from realtime.processes where id = ${processId}`.catch(() => undefined);
      await Promise.all([sql.end({ timeout: 1 }), ears.end({ timeout: 0 })]);
    },
  };
}

/** Reads a notification, whose body may wait in a table. */
async function receive(sql: Sql, text: string): Promise<Notification> {
  const value: unknown = JSON.parse(text);
  const reference = stored.safeParse(value);
  if (!reference.success) return notification.parse(value);
  const [row] = await sql<{ body: string }[]>`
    select body from realtime.bodies where id = ${reference.data.body}`;
  return notification.parse(JSON.parse(row?.body ?? "null"));
}

/** Says that this process is there, and puts away what others that are gone have left. */
async function beat(sql: Sql, announce: () => Promise<void>): Promise<void> {
  await announce();
  await sql`
    with gone as (
      delete from realtime.presences p using realtime.processes o
      where o.id = p.process_id and o.seen_at < now() - interval '30 seconds'
      returning p.topic, p.key, p.ref, p.meta
    )
    select realtime.publish(jsonb_build_object(
      'kind', 'leave', 'topic', topic, 'key', key, 'ref', ref, 'meta', meta)) from gone`;
  await sql`delete from realtime.processes where seen_at < now() - interval '30 seconds'`;
  await sql`delete from realtime.bodies where written_at < now() - interval '1 minute'`;
  await sql`delete from realtime.messages where inserted_at < now() at time zone 'UTC' - interval '1 day'`;
}
