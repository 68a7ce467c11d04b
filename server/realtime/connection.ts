import { randomUUID } from "node:crypto";
import type { RawData, WebSocket } from "ws";
import { z } from "zod";
import { type Channel, type ChannelDeps, createChannel } from "./channel.ts";
import { type Frame, readFrame, type Version, writeFrame } from "./frames.ts";

/** Channels of one connection. */
const MOST_CHANNELS = 100;

/** Bytes that may wait for a subscriber that reads slowly; then its connection ends. */
const MOST_WAITING_BYTES = 1_000_000;

/** Messages that a client may send in a second, and at once. */
const MESSAGES_PER_S = 50;
const MESSAGES_AT_ONCE = 150;

/** Silence after which a connection is over: clients send a heartbeat every 25 seconds. */
const SILENCE_MS = 60_000;

/** How long a connection may be without a channel: the client ends one by itself that it does not need. */
const EMPTY_MS = 30_000;

/** How often rights are asked anew, with a heartbeat. */
const RIGHTS_MS = 60_000;

/** Codes with which a connection is closed (RFC 6455, section 7.4.1). */
const POLICY = 1008;
const RESTART = 1012;

const accessToken = z.object({ access_token: z.string() });

/** What a connection needs of the service. */
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
  let allowance = MESSAGES_AT_ONCE;
  let counted = deps.clock();
  let checked = deps.clock();
  let joined = deps.clock();
  // One message after the other: a broadcast never overtakes the join before it.
  let last: Promise<unknown> = Promise.resolve();

  const silence = setTimeout(() => socket.terminate(), SILENCE_MS);

  const deliver = (message: string | Buffer) => {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(message);
    if (socket.bufferedAmount > MOST_WAITING_BYTES) socket.terminate();
  };
  const send = (frame: Frame) => deliver(writeFrame(frame, version));
  const reply = (to: Frame, status: "ok" | "error", response: unknown) =>
    send({ ...to, event: "phx_reply", payload: { status, response } });

  const openChannel = async (frame: Frame) => {
    // A second join of a channel takes the place of the first, as with Phoenix.
    await channels.get(frame.topic)?.close();
    if (channels.size >= MOST_CHANNELS) {
      return reply(frame, "error", { reason: "ChannelRateLimitReached: Too many channels" });
    }
    const channel = createChannel(frame, { id, version, isService, deliver }, deps, {
      onClose: () => {
        if (channels.get(frame.topic) === channel) channels.delete(frame.topic);
      },
      reset: () => socket.close(RESTART, "messages may have been missed"),
      send: (event, payload) =>
        send({ joinRef: frame.joinRef, ref: null, topic: frame.topic, event, payload }),
    });
    channels.set(frame.topic, channel);
    const joined = await channel.join();
    if (!joined.ok) {
      channels.delete(frame.topic);
      return reply(frame, "error", { reason: joined.reason });
    }
    reply(frame, "ok", { postgres_changes: [] });
    await channel.tellPresences();
  };

  const checkRights = async () => {
    checked = deps.clock();
    for (const channel of [...channels.values()]) await channel.check();
  };

  const handle = async (frame: Frame) => {
    if (frame.topic === "phoenix") {
      if (frame.event !== "heartbeat") return;
      reply(frame, "ok", {});
      if (channels.size > 0) joined = deps.clock();
      else if (deps.clock() - joined >= EMPTY_MS) return socket.close(POLICY, "no channel");
      if (deps.clock() - checked >= RIGHTS_MS) await checkRights();
      return;
    }
    if (frame.event === "phx_join") return openChannel(frame);
    const channel = channels.get(frame.topic);
    if (!channel) return reply(frame, "error", { reason: "unmatched topic" });
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
    silence.refresh();
    const now = deps.clock();
    allowance = Math.min(MESSAGES_AT_ONCE, allowance + ((now - counted) * MESSAGES_PER_S) / 1000);
    counted = now;
    if (allowance < 1) return socket.close(POLICY, "too many messages");
    allowance -= 1;
    const frame = readFrame(asBuffer(data), isBinary, version);
    if (!frame) return socket.close(POLICY, "not a message");
    last = last
      .then(() => handle(frame))
      .catch((error: unknown) => {
        deps.onFailure(error);
        reply(frame, "error", { reason: "InternalError: The request could not be processed" });
      });
  };

  socket.on("message", receive);
  // Errors of the network end in « close »; without a listener they would end the process.
  socket.on("error", () => socket.terminate());
  socket.once("close", () => {
    clearTimeout(silence);
    last = last
      .then(() => Promise.all([...channels.values()].map((channel) => channel.close())))
      .catch(deps.onFailure);
  });
}

function asBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
