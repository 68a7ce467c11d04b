import { randomUUID } from "node:crypto";
import type { RawData, WebSocket } from "ws";
import type { ChannelDeps } from "./channel.ts";
import { createConnectionChannels } from "./connection-channels.ts";
import { readFrame, type Version } from "./frames.ts";

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
  const isOpen = () => socket.readyState === socket.OPEN;
  const isWithinRate = createRateLimit(deps.clock);
  let unhandled = 0;
  // One message after the other: a broadcast never overtakes the join before it.
  let last: Promise<unknown> = Promise.resolve();

  const channels = createConnectionChannels({
    connection: { id: randomUUID(), version, isService },
    deps,
    deliver(message) {
      if (!isOpen()) return;
      if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate();
      else socket.send(message);
    },
    onLeft: () => emptiness.refresh(),
    reset: () => socket.close(RESTART, "messages may have been missed"),
  });

  const silence = setTimeout(() => socket.terminate(), SILENCE_MS);
  // By the clock, not by heartbeats, which a client may leave out.
  const emptiness = setInterval(() => {
    if (channels.isEmpty()) socket.close(POLICY, "no channel");
  }, EMPTY_MS);
  const rightsChecks = setInterval(() => {
    last = last.then(channels.checkRights);
  }, RIGHTS_MS);

  const receive = (data: RawData, isBinary: boolean) => {
    if (!isOpen()) return;
    silence.refresh();
    if (!isWithinRate()) return socket.close(POLICY, "too many messages");
    const bytes = asBuffer(data);
    const frame = readFrame(bytes, isBinary, version);
    if (!frame) return socket.close(POLICY, "not a message");
    unhandled += bytes.length;
    if (unhandled > MAX_UNHANDLED_BYTES) socket.pause();
    last = last
      .then(() => (isOpen() ? channels.handle(frame) : undefined))
      .catch((error: unknown) => {
        deps.onFailure(error);
        channels.replyFailed(frame);
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
    clearInterval(rightsChecks);
    last = last.then(channels.close).catch(deps.onFailure);
  });
}

/** Makes the check of a client's rate: each call counts a message, and is false when it is one too many. */
function createRateLimit(clock: () => number): () => boolean {
  let allowance = MESSAGE_BURST;
  let counted = clock();
  return () => {
    const now = clock();
    allowance = Math.min(MESSAGE_BURST, allowance + ((now - counted) * MESSAGES_PER_S) / 1000);
    counted = now;
    if (allowance < 1) return false;
    allowance -= 1;
    return true;
  };
}

function asBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
