import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";

/** SQLSTATE of a row whose process is not, or no longer, recorded. */
const FOREIGN_KEY_VIOLATION = "23503";

/** This process as the database records it, with the topics that it listens to. */
export type RelayProcess = {
  id: string;
  /** Records that this process is alive and what it listens to; called again and again. */
  announce(): Promise<void>;
  /** Runs a write, and once more after announcing, where other processes had deleted this one's record. */
  asKnown(write: () => Promise<unknown>): Promise<void>;
  isListening(): boolean;
  listenTo(topic: string): Promise<void>;
  leave(topic: string): Promise<void>;
};

type RelayProcessOptions = {
  sql: Sql;
  /** Resolves once notifications of the database arrive here. */
  ready(): Promise<unknown>;
  /** Called when other processes had deleted this one's record: messages may have been missed. */
  onForgotten(): void;
};

/** Makes the record of this process; nothing is written before `announce` or `listenTo`. */
export function createRelayProcess({ sql, ready, onForgotten }: RelayProcessOptions): RelayProcess {
  const id = randomUUID();
  /** Topics that this process listens to, each with the write that records it. */
  const topics = new Map<string, Promise<void>>();
  let isKnown = false;
  let lastWrite: Promise<void> = Promise.resolve();

  const announce = async () => {
    const [row] = await sql<{ is_new: boolean }[]>`
      insert into realtime.processes (id) values (${id})
      on conflict (id) do update set seen_at = now()
      returning xmax = 0 as is_new`;
    if (topics.size > 0) {
      await sql`
        insert into realtime.listeners (topic, process_id)
        select topic, ${id} from unnest(${[...topics.keys()]}::text[]) topic
        on conflict do nothing`;
    }
    const wasForgotten = isKnown && row?.is_new === true;
    isKnown = true;
    if (wasForgotten) onForgotten();
  };

  const asKnown = async (write: () => Promise<unknown>) => {
    try {
      await write();
    } catch (error) {
      if (errorCode(error) !== FOREIGN_KEY_VIOLATION) throw error;
      await announce();
      await write();
    }
  };

  /** Runs the writes about listeners one after the other, so that a delayed delete cannot undo a later insert. */
  const inOrder = (work: () => Promise<void>) => {
    const done = lastWrite.then(work);
    lastWrite = done.catch(() => undefined);
    return done;
  };

  const writeListener = (topic: string) =>
    asKnown(
      () => sql`
        insert into realtime.listeners (topic, process_id) values (${topic}, ${id})
        on conflict do nothing`,
    );

  return {
    id,
    announce,
    asKnown,
    isListening: () => topics.size > 0,
    listenTo(topic) {
      const known = topics.get(topic);
      if (known) return known;
      const written = ready().then(() => inOrder(() => writeListener(topic)));
      topics.set(topic, written);
      // After a failure the next call tries again.
      written.catch(() => {
        if (topics.get(topic) === written) topics.delete(topic);
      });
      return written;
    },
    async leave(topic) {
      topics.delete(topic);
      await inOrder(async () => {
        // It may be listened to again meanwhile.
        if (topics.has(topic)) return;
        await sql`delete from realtime.listeners where topic = ${topic} and process_id = ${id}`;
      });
    },
  };
}
