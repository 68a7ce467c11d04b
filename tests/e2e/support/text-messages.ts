import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, vi } from "vitest";
import { z } from "zod";

/** Messages leave through an outbox, in a moment; on a busy machine a moment may be long. */
const POLL = { timeout: 30_000, interval: 25 };

const digits = (phone: string) => phone.replace(/\D/g, "");

const message = z.object({ to: z.string(), body: z.string() });

/** A gateway for text messages, which keeps what it is given. */
export type Gateway = {
  /** Starts it, and answers the settings with which the server sends through it. */
  env: () => Promise<Record<string, string>>;
  /** Waits for the newest message to a number that was not read yet, and answers its code. */
  codeFor: (phone: string) => Promise<string>;
};

/** Makes the gateway of a test file; it stops automatically. */
export function setGateway(): Gateway {
  const received: z.infer<typeof message>[] = [];
  const server = createServer(async (request, response) => {
    received.push(message.parse(JSON.parse(await text(request))));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    env: async () => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = z
        .custom<AddressInfo>((value) => typeof value === "object")
        .parse(server.address());
      return { SMS_URL: `http://127.0.0.1:${port}/`, SMS_TOKEN: "jeton-des-essais-0123456789" };
    },
    codeFor: (phone) =>
      vi.waitUntil(() => {
        const index = received.findLastIndex(({ to }) => digits(to) === digits(phone));
        const [read] = index < 0 ? [] : received.splice(index, 1);
        return /\b\d{6}\b/.exec(read?.body ?? "")?.[0];
      }, POLL),
  };
}
