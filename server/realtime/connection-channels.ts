import { z } from "zod";
import { type Channel, type ChannelDeps, createChannel } from "./channel.ts";
import { type Frame, type Version, writeFrame } from "./frames.ts";

/** Channels of one connection. */
const MAX_CHANNELS = 100;

const accessToken = z.object({ access_token: z.string() });

/** Channels that a connection has joined. */
type ConnectionChannels = {
  isEmpty(): boolean;
  /** Carries out a client's message. */
  handle(frame: Frame): Promise<void>;
  /** Replies that a message could not be processed. */
  replyFailed(frame: Frame): void;
  /** Checks again whether their owners still have the right to them. */
  checkRights(): Promise<void>;
  close(): Promise<void>;
};

type ConnectionChannelsOptions = {
  connection: { id: string; version: Version; isService: boolean };
  deps: ChannelDeps;
  deliver(message: string | Buffer): void;
  /** Called when a channel was left. */
  onLeft(): void;
  /** Ends the connection: messages may have been missed. */
  reset(): void;
};

export function createConnectionChannels(options: ConnectionChannelsOptions): ConnectionChannels {
  const { deps, deliver, onLeft, reset } = options;
  const channels = new Map<string, Channel>();
  const connection = { ...options.connection, subscriptions: 0, deliver };

  const send = (frame: Frame) => deliver(writeFrame(frame, connection.version));
  const reply = (to: Frame, status: "ok" | "error", response: unknown) =>
    send({ ...to, event: "phx_reply", payload: { status, response } });

  const open = async (frame: Frame) => {
    // A second join of a channel takes the place of the first, as with Phoenix.
    await channels.get(frame.topic)?.close();
    if (channels.size >= MAX_CHANNELS) {
      return reply(frame, "error", { reason: "ChannelRateLimitReached: Too many channels" });
    }
    const sendEvent = (event: string, payload: unknown) =>
      send({ joinRef: frame.joinRef, ref: null, topic: frame.topic, event, payload });
    const channel = createChannel(frame, connection, deps, {
      onClose: () => {
        if (channels.get(frame.topic) !== channel) return;
        channels.delete(frame.topic);
        onLeft();
      },
      reset,
      send: sendEvent,
    });
    channels.set(frame.topic, channel);
    let isJoined = false;
    try {
      const joining = await channel.join();
      if (!joining.ok) {
        // Deleted before it closes, so that it does not count as left: a client that is only ever refused has no channel.
        channels.delete(frame.topic);
        await channel.close();
        return reply(frame, "error", { reason: joining.reason });
      }
      isJoined = true;
      reply(frame, "ok", joining.response);
      await channel.sendFirst();
    } catch (error) {
      await channel.close();
      if (isJoined) sendEvent("phx_error", {});
      throw error;
    }
  };

  const leave = async (frame: Frame, channel: Channel) => {
    await channel.close();
    reply(frame, "ok", {});
    send({ ...frame, ref: frame.joinRef, event: "phx_close", payload: {} });
  };

  return {
    isEmpty: () => channels.size === 0,
    async handle(frame) {
      if (frame.topic === "phoenix") {
        if (frame.event === "heartbeat") reply(frame, "ok", {});
        return;
      }
      if (frame.event === "phx_join") return open(frame);
      const channel = channels.get(frame.topic);
      const isStale = frame.joinRef !== null && frame.joinRef !== channel?.joinRef;
      if (!channel || isStale) return reply(frame, "error", { reason: "unmatched topic" });
      if (frame.event === "phx_leave") return leave(frame, channel);
      if (frame.event === "access_token") {
        const renewed = accessToken.safeParse(frame.payload);
        if (renewed.success) await channel.renew(renewed.data.access_token);
      } else if (frame.event === "broadcast" || frame.event === "presence") {
        const status = await channel.take(frame);
        if (status) reply(frame, status, {});
      }
    },
    replyFailed(frame) {
      reply(frame, "error", { reason: "InternalError: The request could not be processed" });
    },
    async checkRights() {
      for (const channel of [...channels.values()]) await channel.check().catch(deps.onFailure);
    },
    async close() {
      await Promise.all([...channels.values()].map((channel) => channel.close()));
    },
  };
}
