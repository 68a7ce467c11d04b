import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { SessionClaims } from "../auth/tokens.ts";
import { askedChanges, findTables, MAX_SUBSCRIPTIONS_PER_CONNECTION, topicOf } from "./changes.ts";
import { type Frame, readBroadcast, type Version } from "./frames.ts";
import type { Hub, Member } from "./hub.ts";
import type { Claims, Relay, Rights } from "./relay.ts";

/** Prefix of each topic in the protocol. */
const PREFIX = "realtime:";

/** Characters of what somebody shows of themselves, as JSON. */
const PRESENCE_MAX_LENGTH = 3_000;

/** Readers make a property of it: « __proto__ » would be none. */
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

const presencePayload = z.object({
  event: z.string(),
  payload: z.record(z.string(), z.unknown()).nullish(),
});

const NOTHING: Rights = {
  reads: false,
  writes: false,
  readsPresence: false,
  writesPresence: false,
};

const SERVICE_CLAIMS = { role: "service_role" } as const;

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
  const key = config?.presence?.key || randomUUID();
  const ref = randomUUID();
  let claims: Claims | null = null;
  let rights = NOTHING;
  let expiry: NodeJS.Timeout | undefined;
  const isPrivate = config?.private === true;
  let isClosed = false;
  let isCounted = false;
  let isShown = false;
  const asksChanges = config?.postgres_changes ?? [];
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

  /** Places among the readers of tables. */
  const readers = new Map<string, Member>();

  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(expiry);
    hub.leave(topic, member);
    for (const [of, reader] of readers) hub.leave(of, reader);
    if (isCounted) connection.subscriptions -= asksChanges.length;
    onClose();
    if (isShown) await relay.disappear(topic, ref);
  };

  const end = async (message: string) => {
    if (isClosed) return;
    send("system", { extension: "system", status: "error", message, channel: topic });
    send("phx_close", {});
    await close();
  };

  /** Continues with the rights of these claims; returns the reason why there are none, or null. */
  const apply = async (of: Claims): Promise<string | null> => {
    // It carries changes alone, about each of which the database is asked.
    if (!isPrivate) return null;
    rights = await relay.rights(topic, of);
    member.hearsBroadcasts = rights.reads;
    member.hearsPresence = rights.readsPresence && config?.presence?.enabled === true;
    if (rights.reads || rights.readsPresence) return null;
    return `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`;
  };

  /** Goes on with new rights on a channel that stands, or ends it. */
  const renewWith = async (refused: Promise<string | null>) => {
    const wasTold = member.hearsPresence;
    const refusal = await refused;
    if (refusal !== null) await end(refusal);
    else if (!wasTold) await sendPresences();
  };

  /** Asks what a token gives here, and goes on with that. */
  const admit = async (token: string | null | undefined): Promise<string | null> => {
    const admitted = await claimsOf(token, connection, deps);
    if (!admitted) return "InvalidJWTToken: The token is missing, expired or not a user's";
    const refusal = await apply(admitted);
    if (refusal !== null) return refusal;
    claims = admitted;
    clearTimeout(expiry);
    if ("exp" in admitted && !isClosed) {
      const left = admitted.exp * 1000 - deps.now().getTime();
      expiry = setTimeout(() => end("Token has expired").catch(deps.onFailure), left);
      expiry.unref();
    }
    return null;
  };

  const sendPresences = async () => {
    if (isClosed || !member.hearsPresence) return;
    const state = new Map<string, { metas: unknown[] }>();
    for (const { key: of, ref: phx_ref, meta } of await relay.presences(topic)) {
      const shown = state.get(of) ?? { metas: [] };
      shown.metas.push({ ...meta, phx_ref });
      state.set(of, shown);
    }
    send("presence_state", Object.fromEntries(state));
  };

  return {
    joinRef: frame.joinRef,
    async join() {
      if (!asked.success || !frame.topic.startsWith(PREFIX) || topic === "") {
        return { ok: false, reason: "InvalidJoin: The topic or the configuration is not valid" };
      }
      if (!isPrivate && asksChanges.length === 0) {
        return { ok: false, reason: "PrivateOnly: This project only allows private channels" };
      }
      if (config?.broadcast?.replay) {
        return { ok: false, reason: "UnableToReplayMessages: Messages are not kept here" };
      }
      const refusal = await admit(asked.data.access_token);
      if (refusal !== null) return { ok: false, reason: refusal };
      if (isClosed) return { ok: false, reason: "Closed: The connection is over" };
      if (isPrivate) await hub.join(topic, member);
      await listenToChanges();
      if (isClosed) return { ok: false, reason: "Closed: The token has expired" };
      return {
        ok: true,
        response: { postgres_changes: asksChanges.map((asked, i) => ({ ...asked, id: i + 1 })) },
      };
    },
    async sendFirst() {
      await sendPresences();
      const say = (extension: string, status: "ok" | "error", message: string) => {
        if (!isClosed) send("system", { extension, status, message, channel: topic });
      };
      // Messages of the database are heard from the join on; a client that asks gets a
      // confirmation.
      if (config?.broadcast?.replication_ready) {
        say("system", "ok", "Replication connection established");
      }
      if (asksChanges.length === 0) return;
      if (refusedChanges === null) say("postgres_changes", "ok", "Subscribed to PostgreSQL");
      else say("postgres_changes", "error", refusedChanges);
    },
    async take(sent) {
      if (sent.event === "presence") return show(sent.payload);
      const broadcast = readBroadcast(sent);
      const wantsAck = config?.broadcast?.ack === true;
      if (!broadcast || !rights.writes) return wantsAck ? "error" : null;
      await relay.send({ topic, ...broadcast, sender: connection.id });
      return wantsAck ? "ok" : null;
    },
    async renew(token) {
      await renewWith(admit(token));
    },
    async check() {
      if (claims) await renewWith(apply(claims));
    },
    close,
  };

  async function listenToChanges(): Promise<void> {
    if (asksChanges.length === 0 || claims === null) return;
    if (connection.subscriptions + asksChanges.length > MAX_SUBSCRIPTIONS_PER_CONNECTION) {
      refusedChanges = "Too many subscriptions to changes";
      return;
    }
    isCounted = true;
    connection.subscriptions += asksChanges.length;
    const found = await findTables(asksChanges, claims, relay);
    if ("reason" in found) {
      refusedChanges = found.reason;
      return;
    }
    for (const [table, subscriptions] of found.tables) {
      if (isClosed) return;
      const reader = {
        ...member,
        hearsBroadcasts: false,
        hearsPresence: false,
        reader: { claims: () => claims, subscriptions },
      };
      readers.set(topicOf(table), reader);
      await hub.join(topicOf(table), reader);
    }
  }

  async function show(payload: unknown): Promise<"ok" | "error"> {
    const wanted = presencePayload.safeParse(payload);
    if (!wanted.success || !rights.writesPresence) return "error";
    if (wanted.data.event === "untrack") {
      if (isShown) await relay.disappear(topic, ref);
      isShown = false;
      return "ok";
    }
    const meta = wanted.data.payload ?? {};
    if (isClosed || wanted.data.event !== "track") return "error";
    if (JSON.stringify(meta).length > PRESENCE_MAX_LENGTH) return "error";
    // Before the answer, which may be lost when the database has it.
    isShown = true;
    await relay.appear(topic, { key, ref, meta });
    // A member who left meanwhile does not stay shown.
    if (isClosed) await relay.disappear(topic, ref);
    return "ok";
  }
}

/** For whom a join acts: the secret key's service, or the owner of a token; null for nobody. */
async function claimsOf(
  token: string | null | undefined,
  { isService }: Connection,
  { verifySession }: ChannelDeps,
): Promise<Claims | null> {
  const claims = token ? verifySession(token) : null;
  return claims ?? (isService ? SERVICE_CLAIMS : null);
}
