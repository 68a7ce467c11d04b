import type { Sql } from "postgres";
import { z } from "zod";
import type { OpenPool } from "../postgres/connections.ts";

/** Channel of the database's notifications. */
const CHANNEL = "tournavis_realtime";

/** Pause before the listening connection is made again, in seconds. */
const RELISTEN_S = 0.5;

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

/** A notification too long for its channel: identifier of the row that holds it. */
const stored = z.object({ body: z.uuid() });

/** Reads a notification, whose body may be in a table; null where the body was already deleted there, or cannot be read. */
export async function readNotification(
  sql: Sql,
  text: string,
  onFailure: (error: unknown) => void,
): Promise<Notification | null> {
  const value: unknown = JSON.parse(text);
  const reference = stored.safeParse(value);
  if (!reference.success) return notification.parse(value);
  const [row] = await sql<{ body: string }[]>`
    select body from realtime.bodies where id = ${reference.data.body}`.catch((error: unknown) => {
    onFailure(error);
    return [];
  });
  return row ? notification.parse(JSON.parse(row.body)) : null;
}

type ListenOptions = {
  open: OpenPool;
  loginUrl: string;
  /** Called with each notification, one after the other, in the order in which they were sent. */
  onText(text: string): Promise<void>;
  /** Called when the connection was lost and is back. */
  onReconnected(): void;
  onFailure(error: unknown): void;
};

/**
 * Listens to the database's notifications, on a pool of its own whose one connection reconnects automatically. Rejects where
 * it could not listen at first, and closes that pool: it would otherwise keep trying beside the next one.
 */
export async function listenToDatabase(options: ListenOptions): Promise<Sql> {
  const { onText, onReconnected, onFailure } = options;
  const pool = options.open(options.loginUrl, {
    max: 1,
    backoff: () => RELISTEN_S,
    connection: { application_name: "tournavis channels" },
  });
  let last: Promise<unknown> = Promise.resolve();
  let connected = 0;
  try {
    await pool.listen(
      CHANNEL,
      (text) => {
        last = last.then(() => onText(text)).catch(onFailure);
      },
      () => {
        connected += 1;
        if (connected > 1) onReconnected();
      },
    );
    return pool;
  } catch (error) {
    await pool.end({ timeout: 0 });
    throw error;
  }
}
