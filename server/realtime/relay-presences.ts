import type { PendingQuery, Row, Sql } from "postgres";
import type { RelayProcess } from "./relay-process.ts";

/** A member who is shown on a channel. */
export type Presence = { key: string; ref: string; meta: Record<string, unknown> };

/** Members that this process shows on channels. */
type Presences = {
  appear(topic: string, presence: Presence): Promise<void>;
  disappear(topic: string, ref: string): Promise<void>;
  /** Removes again the members whose removal failed. */
  retryRemovals(): Promise<void>;
  of(topic: string): Promise<Presence[]>;
};

/** Sends a message of the database's to all processes. */
export async function publish(sql: Sql, body: Record<string, unknown>): Promise<void> {
  await sql`select realtime.publish(${JSON.stringify(body)}::text::jsonb)`;
}

export function createPresences(sql: Sql, { id, asKnown }: RelayProcess): Presences {
  /** Members no longer shown whose removal failed: topics by the members' references. */
  const owed = new Map<string, string>();

  const disappear = async (topic: string, ref: string) => {
    owed.set(ref, topic);
    await hide(sql, sql`p.topic = ${topic} and p.ref = ${ref}`);
    owed.delete(ref);
  };

  return {
    async appear(topic, { key, ref, meta }) {
      // A removal that failed must not follow now.
      owed.delete(ref);
      await asKnown(
        () => sql`
          insert into realtime.presences (topic, ref, key, process_id, meta)
          values (${topic}, ${ref}, ${key}, ${id}, ${JSON.stringify(meta)}::text::jsonb)
          on conflict (topic, ref) do update set meta = excluded.meta`,
      );
      await publish(sql, { kind: "join", topic, key, ref, meta });
    },
    disappear,
    async retryRemovals() {
      for (const [ref, topic] of owed) await disappear(topic, ref);
    },
    async of(topic) {
      return sql<Presence[]>`
        select key, ref, meta from realtime.presences where topic = ${topic} order by ref`;
    },
  };
}

/** Deletes processes (named by a condition on `o`) with the members that they show. */
export async function deleteProcesses(sql: Sql, which: PendingQuery<Row[]>): Promise<void> {
  await hide(sql, sql`p.process_id in (select o.id from realtime.processes o where ${which})`);
  await sql`delete from realtime.processes o where ${which}`;
}

/** Deletes presences (named by a condition on `p`), and sends « leave » to everybody in their channels. */
async function hide(sql: Sql, which: PendingQuery<Row[]>): Promise<void> {
  await sql`
    with gone as (delete from realtime.presences p where ${which} returning p.topic, p.key, p.ref, p.meta)
    select realtime.publish(jsonb_build_object(
      'kind', 'leave', 'topic', topic, 'key', key, 'ref', ref, 'meta', meta)) from gone`;
}
