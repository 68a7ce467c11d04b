import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";

/** A balancer as simple as one can be: the servers by turns, and the next one where one takes no connection. */
export type Balancer = {
  url: string;
  add(origin: string): void;
  remove(origin: string): void;
  close(): Promise<void>;
};

/** Starts one without servers. It keeps connections to them open, as balancers do, and repeats nothing that was sent. */
export async function startBalancer(): Promise<Balancer> {
  const origins: string[] = [];
  const agent = new Agent({ keepAlive: true });
  let turn = 0;

  /** Hands a request to the first of some servers, and to the next where that one takes no connection. */
  const pass = (
    incoming: IncomingMessage,
    answer: ServerResponse,
    body: Buffer,
    [origin, ...others]: readonly string[],
  ): void => {
    const fail = () => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end();
    };
    if (origin === undefined) {
      fail();
      return;
    }
    const { method, url, headers } = incoming;
    const onward = request(new URL(url ?? "/", origin), { method, headers, agent }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
      response.once("error", () => answer.destroy());
    });
    onward.once("error", (error) => {
      if (errorCode(error) === "ECONNREFUSED") pass(incoming, answer, body, others);
      else fail();
    });
    onward.end(body);
  };

  /** All servers, each once, beginning with another one each time. */
  const inTurn = () => {
    const first = turn++ % Math.max(1, origins.length);
    return [...origins.slice(first), ...origins.slice(0, first)];
  };

  const server = createServer(async (incoming, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    pass(incoming, answer, Buffer.concat(chunks), inTurn());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    add: (origin) => void origins.push(origin),
    remove: (origin) => void origins.splice(origins.indexOf(origin), 1),
    async close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
