import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { SessionClaims } from "../auth/tokens.ts";
import { askedChanges } from "./changes.ts";
import { createChannelChanges } from "./channel-changes.ts";
import { createOwnPresence, presenceState } from "./channel-presence.ts";
import { createChannelRights } from "./channel-rights.ts";
import { type Frame, readBroadcast, type Version } from "./frames.ts";
import type { Hub, Member } from "./hub.ts";
import type { Relay } from "./relay.ts";

/** Prefix of each topic in the protocol. */
const PREFIX = "realtime:";

/** Key of a presence; « __proto__ » is refused because clients use the key as a property name. */
const presenceKey = z
  .string()
  .max(255)
  .refine((key) => key !== "__proto__");

const joinPayload = z.object({
  access_token: z.string().nullish(),
  config: z
    .object({
      private: z.boolean().nullish(),
      broadcast: z
        .object({
          ack: z.boolean().nullish(),
          self: z.boolean().nullish(),
          replay: z.unknown().optional(),
          replication_ready: z.boolean().nullish(),
        })
        .nullish(),
      presence: z.object({ key: presenceKey.nullish(), enabled: z.boolean().nullish() }).nullish(),
      postgres_changes: askedChanges.nullish(),
    })
    .nullish(),
});

/** Dependencies of channels on the service. */
export type ChannelDeps = {
  hub: Hub;
  relay: Relay;
  /** Claims of a user's token that was signed here and still holds; else null. */
  verifySession(token: string): SessionClaims | null;
  now(): Date;
  onFailure(error: unknown): void;
};

/** One connection's place on one channel. */
export type Channel = {
  /** The join that opened it: what names an earlier one is not for it. */
  joinRef: string | null;
  /** Whether the join holds, with what the client wants to know of it, or the reason for which not, in the protocol's words. */
  join(): Promise<{ ok: true; response: unknown } | { ok: false; reason: string }>;
  /** Sends what follows a join: who is present, and whether changes are broadcast, each where the client asked for it. */
  sendFirst(): Promise<void>;
  /** A broadcast or a presence of the client's; the status to reply, or null where it wants none. */
  take(frame: Frame): Promise<"ok" | "error" | null>;
  /** Takes a renewed token; ends the channel where it gives no right. */
  renew(token: string): Promise<void>;
  /** Asks anew for the rights; ends the channel where they are gone. */
  check(): Promise<void>;
  close(): Promise<void>;
};

/** A connection, as its channels see it. */
type Connection = {
  id: string;
  version: Version;
  /** It came with the secret key. */
  isService: boolean;
  /** Subscriptions to changes, of all its channels. */
  subscriptions: number;
  deliver(message: string | Buffer): void;
};

type ChannelEvents = {
  onClose(): void;
  reset(): void;
  send(event: string, payload: unknown): void;
};

/** Makes the channel that a client asks to join; all are private, and policies decide (docs/decisions/072-realtime-channels.md). */
export function createChannel(
  frame: Frame,
  connection: Connection,
  deps: ChannelDeps,
  { onClose, reset, send }: ChannelEvents,
): Channel {
  const { hub, relay } = deps;
  const topic = frame.topic.slice(PREFIX.length);
  const asked = joinPayload.safeParse(frame.payload);
  const config = asked.data?.config;
  const isPrivate = config?.private === true;
  const subscriptions = config?.postgres_changes ?? [];
  let isClosed = false;
  /** Reason for which the join gets no changes, or null. */
  let refusedChanges: string | null = null;

  const member: Member = {
    connectionId: connection.id,
    version: connection.version,
    channel: frame.topic,
    hearsBroadcasts: false,
    hearsPresence: false,
    hearsItself: config?.broadcast?.self === true,
    deliver: connection.deliver,
    reset,
  };
  const rights = createChannelRights({
    topic,
    isPrivate,
    isService: connection.isService,
    relay,
    verifySession: deps.verifySession,
    now: deps.now,
    onRights: ({ reads, readsPresence }) => {
      member.hearsBroadcasts = reads;
      member.hearsPresence = readsPresence && config?.presence?.enabled === true;
    },
    onExpiry: () => void end("Token has expired").catch(deps.onFailure),
  });
  const presence = createOwnPresence({
    relay,
    topic,
    key: config?.presence?.key || randomUUID(),
    isClosed: () => isClosed,
  });
  const changes = createChannelChanges({
    asked: subscriptions,
    member,
    connection,
    hub,
    relay,
    currentClaims: rights.claims,
    isClosed: () => isClosed,
  });

  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    rights.close();
    hub.leave(topic, member);
    changes.close();
    onClose();
    await presence.remove();
  };

  const say = (extension: string, status: "ok" | "error", message: string) => {
    if (!isClosed) send("system", { extension, status, message, channel: topic });
  };

  const end = async (message: string) => {
    if (isClosed) return;
    say("system", "error", message);
    send("phx_close", {});
    await close();
  };

  /** Continues an open channel with new rights, or ends it. */
  const renewWith = async (refused: Promise<string | null>) => {
    const wasTold = member.hearsPresence;
    const refusal = await refused;
    if (refusal !== null) await end(refusal);
    else if (!wasTold) await sendPresences();
  };

  const sendPresences = async () => {
    if (isClosed || !member.hearsPresence) return;
    send("presence_state", presenceState(await relay.presences(topic)));
  };

  const join = async (): ReturnType<Channel["join"]> => {
    const refusal = refusalOf(frame, asked) ?? (await rights.admit(asked.data?.access_token));
    if (refusal !== null) return { ok: false, reason: refusal };
    if (isClosed) return { ok: false, reason: "Closed: The connection is over" };
    if (isPrivate) await hub.join(topic, member);
    const claims = rights.claims();
    if (claims !== null) refusedChanges = await changes.start(claims);
    if (isClosed) return { ok: false, reason: "Closed: The token has expired" };
    const numbered = subscriptions.map((change, i) => ({ ...change, id: i + 1 }));
    return { ok: true, response: { postgres_changes: numbered } };
  };

  return {
    joinRef: frame.joinRef,
    join,
    async sendFirst() {
      await sendPresences();
      // Messages of the database arrive from the join on; a client that asks gets a confirmation.
      if (config?.broadcast?.replication_ready) {
        say("system", "ok", "Replication connection established");
      }
      if (subscriptions.length === 0) return;
      if (refusedChanges === null) say("postgres_changes", "ok", "Subscribed to PostgreSQL");
      else say("postgres_changes", "error", refusedChanges);
    },
    async take(sent) {
      if (sent.event === "presence") {
        return rights.current().writesPresence ? presence.take(sent.payload) : "error";
      }
      const broadcast = readBroadcast(sent);
      const wantsAck = config?.broadcast?.ack === true;
      if (!broadcast || !rights.current().writes) return wantsAck ? "error" : null;
      await relay.send({ topic, ...broadcast, sender: connection.id });
      return wantsAck ? "ok" : null;
    },
    async renew(token) {
      await renewWith(rights.admit(token));
    },
    async check() {
      if (rights.claims() !== null) await renewWith(rights.ask());
    },
    close,
  };
}

/** Reason for which a join is refused before its token is looked at, or null. */
function refusalOf(
  frame: Frame,
  { success, data }: ReturnType<typeof joinPayload.safeParse>,
): string | null {
  if (!success || !frame.topic.startsWith(PREFIX) || frame.topic === PREFIX) {
    return "InvalidJoin: The topic or the configuration is not valid";
  }
  const { config } = data;
  if (config?.private !== true && (config?.postgres_changes ?? []).length === 0) {
    return "PrivateOnly: This project only allows private channels";
  }
  if (config?.broadcast?.replay) {
    return "UnableToReplayMessages: Messages are not kept here";
  }
  return null;
}
