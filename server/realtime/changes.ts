import { z } from "zod";
import { type Filter, parseFilters } from "./change-filters.ts";
import { type Version, writeFrame } from "./frames.ts";
import type { Claims, Relay } from "./relay.ts";
import type { Notification } from "./relay-notifications.ts";

/** Subscriptions of one join, and of all channels of a connection: each is asked about at every change of its table. */
const MAX_SUBSCRIPTIONS_PER_JOIN = 20;
export const MAX_SUBSCRIPTIONS_PER_CONNECTION = 100;

/** Changes that may wait; when they come faster than their readers can be determined, connections are reset instead. */
const MAX_PENDING_CHANGES = 1_000;

/** Readers about whom the database is asked at once. */
const READERS_PER_QUERY = 100;

const EVENTS = ["*", "INSERT", "UPDATE", "DELETE"] as const;
type Event = (typeof EVENTS)[number];

/** Changes that a join subscribes to, as the client writes them; they come back with a number. */
export const askedChanges = z
  .array(
    z.looseObject({
      event: z.string().max(20).nullish(),
      schema: z.string().max(255).nullish(),
      table: z.string().max(255).nullish(),
      filter: z.string().max(1_000).nullish(),
      select: z.array(z.string().max(255)).max(1_000).nullish(),
    }),
  )
  .max(MAX_SUBSCRIPTIONS_PER_JOIN);

/** Subscription of a channel to changes of one table. */
type Subscription = {
  id: number;
  event: Event;
  filters: Filter[];
  /** Columns that it wants; null for all. */
  select: string[] | null;
};

/** A channel's place among the readers of a table. */
type Reader = {
  /** Null before the join is admitted. */
  claims(): Claims | null;
  subscriptions: readonly Subscription[];
};

/** A connection's subscription to a channel, as far as row changes are concerned. */
export type Listener = {
  version: Version;
  /** The protocol's name of the channel: `realtime:` and the topic. */
  channel: string;
  /** Reader of the table whose topic this is, with its subscriptions. */
  reader?: Reader;
  deliver(message: string | Buffer): void;
  /** Ends the connection: messages may have been missed, and who joins anew asks for what is there. */
  reset(): void;
};

/** Name of the topic on which a table's changes are broadcast. */
export function topicOf(table: number): string {
  return `postgres_changes:${table}`;
}

/** The tables that a join asks for, each with its subscriptions, or the reason for which it cannot have them, in the protocol's words. */
export async function findTables(
  asked: z.infer<typeof askedChanges>,
  { role }: Claims,
  relay: Pick<Relay, "watch">,
): Promise<{ tables: Map<number, Subscription[]> } | { reason: string }> {
  const tables = new Map<number, Subscription[]>();
  for (const [i, wanted] of asked.entries()) {
    const event = EVENTS.find((known) => known === (wanted.event ?? "*").toUpperCase());
    const read = parseFilters(wanted.filter ?? "");
    if ("reason" in read) return read;
    if (!event || (!wanted.schema && !wanted.table)) {
      return { reason: "A change is asked for by its event, schema, table and filter" };
    }
    const { filters } = read;
    const select = wanted.select && wanted.select.length > 0 ? wanted.select : null;
    const schema = wanted.schema || "public";
    const found = await relay.watch({ role, schema, table: wanted.table || "*", filters });
    if (found.length === 0) {
      return {
        reason: `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [event: ${event}, schema: ${schema}, table: ${wanted.table || "*"}]`,
      };
    }
    for (const table of found) {
      tables.set(table, [...(tables.get(table) ?? []), { id: i + 1, event, filters, select }]);
    }
  }
  return { tables };
}

type Change = Extract<Notification, { kind: "change" }>;

/** Sends changes to the clients that may read them, in order. */
export function createChangeSender(
  relay: Pick<Relay, "readersOf">,
  onFailure: (error: unknown) => void,
): (change: Change, members: ReadonlySet<Listener>) => void {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  return (change, members) => {
    if (waiting >= MAX_PENDING_CHANGES) {
      for (const member of [...members]) member.reset();
      return;
    }
    waiting += 1;
    last = last
      .then(() => tell(change, members, relay))
      .catch((error: unknown) => {
        onFailure(error);
        for (const member of [...members]) member.reset();
      })
      .finally(() => {
        waiting -= 1;
      });
  };
}

async function tell(
  change: Change,
  members: ReadonlySet<Listener>,
  relay: Pick<Relay, "readersOf">,
): Promise<void> {
  const readers = [...members].flatMap((member) => {
    const claims = member.reader?.claims();
    const wanted = member.reader?.subscriptions.filter(
      ({ event }) => event === "*" || event === change.type,
    );
    return claims && wanted && wanted.length > 0 ? [{ member, claims, wanted }] : [];
  });
  const row = change.record ?? change.old ?? {};
  for (let i = 0; i < readers.length; i += READERS_PER_QUERY) {
    const asked = readers.slice(i, i + READERS_PER_QUERY);
    const found = await relay.readersOf({
      table: change.table,
      type: change.type,
      row,
      readers: asked.map(({ claims, wanted }) => ({
        claims,
        filters: wanted.map(({ filters }) => filters),
      })),
    });
    for (const { reader, passed, columns } of found?.readers ?? []) {
      const { member, wanted } = asked[reader] ?? {};
      // A member who left meanwhile gets nothing.
      if (!found || !member || !members.has(member)) continue;
      for (const [select, ids] of bySelection(passed.flatMap((place) => wanted?.[place] ?? []))) {
        const payload = {
          ids,
          data: {
            schema: found.schema,
            table: found.table,
            ...contentOf(
              change,
              columns.filter(({ name }) => select === null || select.includes(name)),
            ),
          },
        };
        member.deliver(
          writeFrame(
            { joinRef: null, ref: null, topic: member.channel, event: "postgres_changes", payload },
            member.version,
          ),
        );
      }
    }
  }
}

/** Subscriptions that receive the same columns. */
function bySelection(passed: readonly Subscription[]): Map<string[] | null, number[]> {
  const told = new Map<string[] | null, number[]>();
  for (const { id, select } of passed) told.set(select, [...(told.get(select) ?? []), id]);
  return told;
}

/** Content of a change in the protocol, for readers who may see these columns. */
function contentOf(change: Change, columns: readonly { name: string; type: string }[]) {
  const seen = (row: Record<string, unknown>) =>
    Object.fromEntries(
      columns.flatMap(({ name }) => (name in row ? [[name, row[name]] as const] : [])),
    );
  return {
    commit_timestamp: change.at,
    type: change.type,
    columns,
    ...(change.record && { record: seen(change.record) }),
    ...(change.old && { old_record: seen(change.old) }),
    errors: change.is_whole ? null : ["Error 413: Payload Too Large"],
  };
}
