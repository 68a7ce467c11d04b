import type { z } from "zod";
import {
  type askedChanges,
  findTables,
  MAX_SUBSCRIPTIONS_PER_CONNECTION,
  topicOf,
} from "./changes.ts";
import type { Hub, Member } from "./hub.ts";
import type { Claims, Relay } from "./relay.ts";

/** Subscriptions of one channel to changes of rows. */
type ChannelChanges = {
  /** Starts to listen for these claims; the reason why no changes are sent, or null. */
  start(claims: Claims): Promise<string | null>;
  close(): void;
};

type ChannelChangesOptions = {
  asked: z.infer<typeof askedChanges>;
  /** The channel's member, from which those of the tables are made. */
  member: Member;
  /** Counts the subscriptions of all channels of a connection. */
  connection: { subscriptions: number };
  hub: Pick<Hub, "join" | "leave">;
  relay: Pick<Relay, "watch">;
  /** Claims that hold when a change arrives. */
  currentClaims(): Claims | null;
  isClosed(): boolean;
};

export function createChannelChanges(options: ChannelChangesOptions): ChannelChanges {
  const { asked, member, connection, hub, relay, currentClaims, isClosed } = options;
  /** Members that receive the changes of tables, by topic. */
  const readers = new Map<string, Member>();
  let isCounted = false;

  return {
    async start(claims) {
      // A channel that was closed meanwhile gives back nothing that is counted now.
      if (asked.length === 0 || isClosed()) return null;
      if (connection.subscriptions + asked.length > MAX_SUBSCRIPTIONS_PER_CONNECTION) {
        return "Too many subscriptions to changes";
      }
      isCounted = true;
      connection.subscriptions += asked.length;
      const found = await findTables(asked, claims, relay);
      if ("reason" in found) return found.reason;
      for (const [table, subscriptions] of found.tables) {
        if (isClosed()) return null;
        const topic = topicOf(table);
        const reader = {
          ...member,
          hearsBroadcasts: false,
          hearsPresence: false,
          reader: { claims: currentClaims, subscriptions },
        };
        readers.set(topic, reader);
        await hub.join(topic, reader);
      }
      return null;
    },
    close() {
      for (const [topic, reader] of readers) hub.leave(topic, reader);
      if (isCounted) connection.subscriptions -= asked.length;
    },
  };
}
