import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import WebSocket, { WebSocketServer } from "ws";
import { serveConnection } from "./connection.ts";
import { createHub } from "./hub.ts";
import type { Relay, Rights } from "./relay.ts";

/**
 * Cost of a connection to this process, with the real protocol and a database that answers on
 * command.
 */

const ALL: Rights = { reads: true, writes: true, readsPresence: true, writesPresence: true };

const ended: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(ended.splice(0).map((end) => end()));
});

async function open(rights: Promise<Rights> = Promise.resolve(ALL)) {
  const relay: Relay = {
    rights: () => rights,
    watch: async () => [],
    readersOf: async () => null,
    listenTo: async () => undefined,
    leave: async () => undefined,
    send: async () => undefined,
    appear: async () => undefined,
    disappear: async () => undefined,
    presences: async () => [],
    close: async () => undefined,
  };
  const fail = (error: unknown) => {
    throw error;
  };
  const hub = createHub(relay, fail);
  const deps = { hub, relay, verifySession: () => null, onFailure: fail };
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  const accepted = once(server, "connection");
  server.on("connection", (socket) =>
    serveConnection(
      socket,
      { version: "2.0.0", isService: true },
      { ...deps, now: () => new Date(0), clock: () => 0 },
    ),
  );
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const client = new WebSocket(`ws://127.0.0.1:${address.port}`);
  ended.push(() => {
    client.terminate();
    server.close();
  });
  const [[socket]] = await Promise.all([accepted, once(client, "open")]);
  if (!(socket instanceof WebSocket)) throw new Error("no connection");
  return { client, socket, hub };
}

const JOIN = JSON.stringify(["1", "1", "realtime:room", "phx_join", { config: { private: true } }]);

it("reads no more of a client while the database is slow", async () => {
  let answer = (_: Rights) => {};
  const { client, socket } = await open(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  client.send(JOIN);
  const message = { event: "news", payload: "x".repeat(50_000) };
  for (let i = 0; i < 20; i++) {
    client.send(JSON.stringify(["1", "2", "realtime:room", "broadcast", message]));
  }
  await expect.poll(() => socket.isPaused).toBe(true);
  // Several messages may come in one turn: each is looked at, not the first of a turn alone.
  const answered = new Promise<void>((resolve) => {
    client.on("message", (data) => {
      if (String(data).includes('"last"')) resolve();
    });
  });
  answer(ALL);
  client.send(JSON.stringify([null, "last", "phoenix", "heartbeat", {}]));
  await answered;
  expect(socket.isPaused).toBe(false);
});

it("drops a subscriber who reads too slowly, and keeps no more for them than a megabyte and a message", async () => {
  const { client, socket, hub } = await open();
  client.send(JOIN);
  await once(client, "message");
  client.pause();
  const payload = "x".repeat(100_000);
  let most = 0;
  // More than the network in between takes in: 100 MB.
  for (let i = 0; i < 1_000 && socket.readyState === socket.OPEN; i++) {
    hub.dispatch({ kind: "broadcast", topic: "room", event: "news", payload });
    most = Math.max(most, socket.bufferedAmount);
    await new Promise(setImmediate);
  }
  expect(socket.readyState).not.toBe(socket.OPEN);
  expect(most).toBeLessThan(1_200_000);
  await expect.poll(() => hub.topics).toBe(0);
});
