import { randomUUID } from "node:crypto";
import type { RawData, WebSocket } from "ws";
import { z } from "zod";
import { type Channel, type ChannelDeps, createChannel } from "./channel.ts";
import { type Frame, readFrame, type Version, writeFrame } from "./frames.ts";

/** Channels of one connection. */
const MAX_CHANNELS = 100;

/** Bytes that may wait for a subscriber that reads slowly; then its connection ends. */
const MAX_UNSENT_BYTES = 1_000_000;

/** Messages that a client may send in a second, and at once. */
const MESSAGES_PER_S = 50;
const MESSAGE_BURST = 150;

/** Silence after which a connection is over: clients send a heartbeat every 25 seconds. */
const SILENCE_MS = 60_000;

/** How long a connection may be without a channel: the client ends one by itself that it does not need. */
const EMPTY_MS = 30_000;

/** How often rights are checked again. */
const RIGHTS_MS = 60_000;

/** Bytes of a client's messages that may wait to be handled; what follows is left in the network until then. */
const MAX_UNHANDLED_BYTES = 200_000;

/** Codes with which a connection is closed (RFC 6455, section 7.4.1). */
const POLICY = 1008;
const RESTART = 1012;

const accessToken = z.object({ access_token: z.string() });

/** Dependencies of a connection on the service. */
export type ConnectionDeps = ChannelDeps & {
  /** Milliseconds, for limits. */
  clock(): number;
};

/** Serves one connection until it closes. */
export function serveConnection(
  socket: WebSocket,
  { version, isService }: { version: Version; isService: boolean },
  deps: ConnectionDeps,
): void {
  const id = randomUUID();
  const channels = new Map<string, Channel>();
  const isOpen = () => socket.readyState === socket.OPEN;
  let allowance = MESSAGE_BURST;
  let counted = deps.clock();
  let unhandled = 0;
  // One message after the other: a broadcast never overtakes the join before it.
  let last: Promise<unknown> = Promise.resolve();

  const silence = setTimeout(() => socket.terminate(), SILENCE_MS);
  // By the clock, not by heartbeats, which a client may leave out.
  const emptiness = setInterval(() => {
    if (channels.size === 0) socket.close(POLICY, "no channel");
  }, EMPTY_MS);
  const rounds = setInterval(() => {
    last = last.then(checkRights);
  }, RIGHTS_MS);

  const deliver = (message: string | Buffer) => {
    if (!isOpen()) return;
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate();
    else socket.send(message);
  };
  const connection = { id, version, isService, subscriptions: 0, deliver };
  const send = (frame: Frame) => deliver(writeFrame(frame, version));
  const reply = (to: Frame, status: "ok" | "error", response: unknown) =>
    send({ ...to, event: "phx_reply", payload: { status, response } });

  const openChannel = async (frame: Frame) => {
    // A second join of a channel takes the place of the first, as with Phoenix.
    await channels.get(frame.topic)?.close();
    if (channels.size >= MAX_CHANNELS) {
      return reply(frame, "error", { reason: "ChannelRateLimitReached: Too many channels" });
    }
    const channel = createChannel(frame, connection, deps, {
      onClose: () => {
        if (channels.get(frame.topic) !== channel) return;
        channels.delete(frame.topic);
        emptiness.refresh();
      },
      reset: () => socket.close(RESTART, "messages may have been missed"),
      send: (event, payload) =>
        send({ joinRef: frame.joinRef, ref: null, topic: frame.topic, event, payload }),
    });
    channels.set(frame.topic, channel);
    let isJoined = false;
    try {
      const joining = await channel.join();
      if (!joining.ok) {
        // Not a leave: a client that is only ever refused has no channel.
        channels.delete(frame.topic);
        await channel.close();
        return reply(frame, "error", { reason: joining.reason });
      }
      isJoined = true;
      reply(frame, "ok", joining.response);
      await channel.sendFirst();
    } catch (error) {
      await channel.close();
      if (isJoined) {
        send({
          joinRef: frame.joinRef,
          ref: null,
          topic: frame.topic,
          event: "phx_error",
          payload: {},
        });
      }
      throw error;
    }
  };

  const checkRights = async () => {
    for (const channel of [...channels.values()]) await channel.check().catch(deps.onFailure);
  };

  const handle = async (frame: Frame) => {
    if (frame.topic === "phoenix") {
      if (frame.event !== "heartbeat") return;
      return reply(frame, "ok", {});
    }
    if (frame.event === "phx_join") return openChannel(frame);
    const channel = channels.get(frame.topic);
    const isStale = frame.joinRef !== null && frame.joinRef !== channel?.joinRef;
    if (!channel || isStale) return reply(frame, "error", { reason: "unmatched topic" });
    if (frame.event === "phx_leave") {
      await channel.close();
      reply(frame, "ok", {});
      send({ ...frame, ref: frame.joinRef, event: "phx_close", payload: {} });
    } else if (frame.event === "access_token") {
      const renewed = accessToken.safeParse(frame.payload);
      if (renewed.success) await channel.renew(renewed.data.access_token);
    } else if (frame.event === "broadcast" || frame.event === "presence") {
      const status = await channel.take(frame);
      if (status) reply(frame, status, {});
    }
  };

  const receive = (data: RawData, isBinary: boolean) => {
    if (!isOpen()) return;
    silence.refresh();
    const now = deps.clock();
    allowance = Math.min(MESSAGE_BURST, allowance + ((now - counted) * MESSAGES_PER_S) / 1000);
    counted = now;
    if (allowance < 1) return socket.close(POLICY, "too many messages");
    allowance -= 1;
    const bytes = asBuffer(data);
    const frame = readFrame(bytes, isBinary, version);
    if (!frame) return socket.close(POLICY, "not a message");
    unhandled += bytes.length;
    if (unhandled > MAX_UNHANDLED_BYTES) socket.pause();
    last = last
      .then(() => (isOpen() ? handle(frame) : undefined))
      .catch((error: unknown) => {
        deps.onFailure(error);
        reply(frame, "error", { reason: "InternalError: The request could not be processed" });
      })
      .then(() => {
        unhandled -= bytes.length;
        if (socket.isPaused && unhandled <= MAX_UNHANDLED_BYTES) socket.resume();
      });
  };

  socket.on("message", receive);
  // Errors of the network end in « close »; without a listener they would end the process.
  socket.on("error", () => socket.terminate());
  socket.once("close", () => {
    clearTimeout(silence);
    clearInterval(emptiness);
    clearInterval(rounds);
    last = last
      .then(() => Promise.all([...channels.values()].map((channel) => channel.close())))
      .catch(deps.onFailure);
  });
}

function asBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
