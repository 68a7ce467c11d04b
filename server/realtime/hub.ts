import { createChangeSender, type Listener } from "./changes.ts";
import { type Content, type Version, writeBroadcast, writeFrame } from "./frames.ts";
import type { Relay } from "./relay.ts";
import type { Notification } from "./relay-notifications.ts";

/** A connection's place on a channel, as the hub reaches it. */
export type Member = Listener & {
  /** Of its connection. */
  connectionId: string;
  hearsBroadcasts: boolean;
  hearsPresence: boolean;
  /** Gets its own broadcasts back. */
  hearsItself: boolean;
};

/** The members of this process, by topic. */
export type Hub = {
  join(topic: string, member: Member): Promise<void>;
  leave(topic: string, member: Member): void;
  /** Hands a notification on to the members that it is for. */
  dispatch(message: Notification): void;
  resetAll(): void;
  readonly topics: number;
};

/** Creates the hub, which registers in the database what this process listens to. */
export function createHub(
  relay: Pick<Relay, "listenTo" | "leave" | "readersOf">,
  onFailure: (error: unknown) => void,
): Hub {
  const members = new Map<string, Set<Member>>();
  const sendChange = createChangeSender(relay, onFailure);

  return {
    async join(topic, member) {
      const known = members.get(topic);
      if (known) known.add(member);
      else members.set(topic, new Set([member]));
      // Those who join a topic that is listened to already may be quicker than the first: they wait as well.
      await relay.listenTo(topic);
    },
    leave(topic, member) {
      const known = members.get(topic);
      if (!known?.delete(member) || known.size > 0) return;
      members.delete(topic);
      relay.leave(topic).catch(onFailure);
    },
    dispatch(message) {
      const known = members.get(message.topic);
      if (!known) return;
      if (message.kind === "broadcast") broadcast(known, message);
      else if (message.kind === "change") sendChange(message, known);
      else sendPresence(known, message);
    },
    resetAll() {
      for (const known of members.values()) for (const member of [...known]) member.reset();
    },
    get topics() {
      return members.size;
    },
  };
}

function broadcast(
  members: Iterable<Member>,
  { event, payload, bytes, sender, id }: Extract<Notification, { kind: "broadcast" }>,
): void {
  const content: Content = bytes === undefined ? { json: payload ?? {} } : { bytes };
  const meta = id === undefined ? null : { id };
  const write = once((channel, version) =>
    writeBroadcast(channel, { event, content, meta }, version),
  );
  for (const member of members) {
    if (!member.hearsBroadcasts) continue;
    if (member.connectionId === sender && !member.hearsItself) continue;
    const message = write(member.channel, member.version);
    if (message !== null) member.deliver(message);
  }
}

function sendPresence(
  members: Iterable<Member>,
  { kind, key, ref, meta }: Extract<Notification, { kind: "join" | "leave" }>,
): void {
  const changed = { [key]: { metas: [{ ...meta, phx_ref: ref }] } };
  const payload = {
    joins: kind === "join" ? changed : {},
    leaves: kind === "leave" ? changed : {},
  };
  const write = once((topic, version) =>
    writeFrame({ joinRef: null, ref: null, topic, event: "presence_diff", payload }, version),
  );
  for (const member of members) {
    if (member.hearsPresence) member.deliver(write(member.channel, member.version));
  }
}

/** Writes a message once for all who get it in the same form. */
function once<T>(
  write: (channel: string, version: Version) => T,
): (channel: string, version: Version) => T {
  const written = new Map<string, T>();
  return (channel, version) => {
    const form = `${version} ${channel}`;
    const known = written.get(form);
    if (known !== undefined) return known;
    const made = write(channel, version);
    written.set(form, made);
    return made;
  };
}
