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

it("an address that sends far more than it waits for is refused with a time to come again; others are answered", async () => {
  const socket = connect(server.running.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let answers = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answers += text;
  });
  const closed = once(socket, "close");
  const request = "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.9\r\n\r\n";
  socket.write(request.repeat(5_000));

  expect((await ask("198.51.100.10")).status).toBe(200);
  await closed;
  const statuses = answers.match(/(?<=^HTTP\/1\.1 )\d+/gm) ?? [];
  // Those whose turn came, then the first that found too many waiting, which closes the connection.
  expect(statuses.length).toBeGreaterThan(500);
  expect(statuses.length).toBeLessThan(5_000);
  expect(new Set(statuses.slice(0, -1))).toEqual(new Set(["200"]));
  expect(statuses.at(-1)).toBe("429");
  expect(answers).toMatch(/^retry-after: 5\r$/im);
  // Nothing is held against it.
  expect((await ask("198.51.100.9")).status).toBe(200);
});
