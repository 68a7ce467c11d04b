import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { startTestServer, type TestServer } from "../harness/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: "1" } });
});
afterAll(() => server.stop());

const ask = (address: string) =>
  fetch(`${server.url}/healthz`, { headers: { "x-forwarded-for": address } });

/** Requests that a connection may send without waiting for answers. */
const MAX_PIPELINED = 16;

/** Answers of a connection. */
type Answers = { text: string; statuses: string[] };

/** Lets everybody who asks for a campaign wait; answers how they go on. */
async function holdCampaigns(): Promise<() => void> {
  return new Promise((resolve, reject) => {
    server.database.sql
      .begin(async (transaction) => {
        await transaction`lock table public.campaigns in access exclusive mode`;
        await new Promise<void>((release) => resolve(release));
      })
      .catch(reject);
  });
}

/** A connection of the address, and what comes of the requests that it sends at once. */
async function connection(address: string) {
  const socket = connect(server.running.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  let text = "";
  const statuses = () => text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];
  const settled = new Promise<Answers>((resolve) => {
    const settle = () => resolve({ text, statuses: statuses() });
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (statuses().length === MAX_PIPELINED) settle();
    });
    socket.once("close", settle);
  });
  const request = `GET /functions/v1/campaign?slug=none HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`;
  return { socket, settled, send: () => void socket.write(request.repeat(MAX_PIPELINED)) };
}

it("an address that sends far more than it waits for is refused with a time to come again; others are answered", async () => {
  const connections = await Promise.all(
    Array.from({ length: 64 }, () => connection("198.51.100.9")),
  );
  const release = await holdCampaigns();
  const refusal = Promise.race(connections.map(({ socket }) => once(socket, "close")));
  for (const { send } of connections) send();
  await refusal;
  expect((await ask("198.51.100.10")).status).toBe(200);
  release();

  const all = await Promise.all(connections.map(({ settled }) => settled));
  const refused = all.filter(({ statuses }) => statuses.includes("429"));
  expect(refused.length).toBeGreaterThan(0);
  // The first that finds too many waiting closes its connection.
  for (const { text, statuses } of refused) {
    expect(statuses.at(-1)).toBe("429");
    expect(text).toMatch(/^retry-after: 5\r$/im);
  }
  const served = all.flatMap(({ statuses }) => statuses.filter((status) => status !== "429"));
  expect(new Set(served)).toEqual(new Set(["404"]));
  expect(served.length).toBeGreaterThan(400);
  // Nothing is held against it.
  expect((await ask("198.51.100.9")).status).toBe(200);
});
