import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { Hono } from "hono";
import { cors } from "hono/cors";
import { WebSocketServer } from "ws";
import { z } from "zod";
import { bearerToken } from "../../supabase/functions/_shared/http/bearer.ts";
import { isSameText } from "../../supabase/functions/_shared/http/same-text.ts";
import { parseStorable } from "../../supabase/functions/_shared/http/storable-json.ts";
import type { SessionClaims } from "../auth/tokens.ts";
import type { Secrets } from "../config/secrets.ts";
import type { OpenPool } from "../postgres/connections.ts";
import { serveConnection } from "./connection.ts";
import type { Content, Version } from "./frames.ts";
import { createHub } from "./hub.ts";
import { openRelay, type Relay } from "./relay.ts";

/** Address of the channels. */
const SOCKET_PATH = "/realtime/v1/websocket";

/** Longest message of a client, in bytes. */
const MAX_MESSAGE_BYTES = 100_000;

/** Connections of this process, and of one address: a chain's shops may share one. */
const MAX_CONNECTIONS = 5_000;
const MAX_CONNECTIONS_PER_ADDRESS = 500;

/** Code with which connections are closed when the server stops: clients come back by themselves. */
const GOING_AWAY = 1001;

type RealtimeOptions = {
  open: OpenPool;
  /** Address of the API's login. */
  loginUrl: string;
  secrets: Pick<Secrets, "publishableKey" | "secretKey">;
  /** Claims of a user's token that was signed here and still holds; else null. */
  verifySession(token: string): SessionClaims | null;
  clientAddress(incoming: IncomingMessage): string;
  now(): Date;
  onFailure(error: unknown): void;
};

/** Serves `realtime/v1`. */
export type Realtime = {
  /** Takes a request to speak WebSocket; false for an address that is not ours. */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Messages that are sent by HTTP. */
  fetch(request: Request): Promise<Response> | Response;
  /** Connections and topics, for `/metrics`. */
  figures(): { connections: number; topics: number };
  /** Ends all connections. */
  close(): Promise<void>;
};

/** Opens `realtime/v1` as the platform's client speaks it: channels for the signed-in, by the policies of `realtime.messages`. */
export function openRealtime(options: RealtimeOptions): Realtime {
  const { secrets, clientAddress, onFailure, now, verifySession } = options;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  const ofAddress = new Map<string, number>();
  const relay = openRelay({
    open: options.open,
    loginUrl: options.loginUrl,
    onMessage: (message) => hub.dispatch(message),
    onGap: () => hub.resetAll(),
    onFailure,
  });
  const hub = createHub(relay, onFailure);
  const deps = { hub, relay, verifySession, now, onFailure, clock: () => performance.now() };
  let isStopping = false;

  const roleOf = (key: string | null): "service" | "public" | null => {
    if (key === null) return null;
    if (isSameText(key, secrets.secretKey)) return "service";
    return isSameText(key, secrets.publishableKey) ? "public" : null;
  };

  const api = createBroadcastApi(relay, options, roleOf);

  return {
    upgrade(incoming, socket, head) {
      // No `URL`, which throws for some addresses that Node takes.
      const [path, query] = (incoming.url ?? "").split("?", 2);
      if (path !== SOCKET_PATH) return false;
      const searchParams = new URLSearchParams(query);
      const version = readVersion(searchParams.get("vsn"));
      const role = roleOf(searchParams.get("apikey"));
      const address = clientAddress(incoming);
      const count = ofAddress.get(address) ?? 0;
      if (isStopping) refuse(socket, "503 Service Unavailable");
      else if (!version) refuse(socket, "400 Bad Request");
      else if (!role) refuse(socket, "401 Unauthorized");
      else if (server.clients.size >= MAX_CONNECTIONS || count >= MAX_CONNECTIONS_PER_ADDRESS) {
        refuse(socket, "429 Too Many Requests");
      } else {
        ofAddress.set(address, count + 1);
        socket.once("close", () => {
          const left = (ofAddress.get(address) ?? 1) - 1;
          if (left > 0) ofAddress.set(address, left);
          else ofAddress.delete(address);
        });
        server.handleUpgrade(incoming, socket, head, (client) => {
          serveConnection(client, { version, isService: role === "service" }, deps);
        });
      }
      return true;
    },
    fetch: (request) => api.fetch(request),
    figures: () => ({ connections: server.clients.size, topics: hub.topics }),
    async close() {
      isStopping = true;
      const closing = [...server.clients].map(
        (client) =>
          new Promise<void>((resolve) => {
            client.once("close", () => resolve());
            client.close(GOING_AWAY);
            // A client that does not answer is not waited for.
            setTimeout(() => client.terminate(), 1_000).unref();
          }),
      );
      await Promise.all(closing);
      await relay.close();
    },
  };
}

function readVersion(vsn: string | null): Version | null {
  if (vsn === null || vsn === "1.0.0") return "1.0.0";
  return vsn === "2.0.0" ? vsn : null;
}

function refuse(socket: Duplex, status: string): void {
  // A client that keeps its side open holds nothing.
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

/** The body of a request; undefined for what is no JSON, or none that can be stored. */
async function readJson(request: Request): Promise<unknown> {
  try {
    return parseStorable(await request.text());
  } catch {
    return undefined;
  }
}

const name = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\0]+$/);

const messages = z.object({
  messages: z
    .array(
      z.object({
        topic: name,
        event: name,
        payload: z.unknown(),
      }),
    )
    .max(100),
});

/** Messages by HTTP, with the secret key or the right to write to the channel. */
function createBroadcastApi(
  relay: Relay,
  { verifySession }: RealtimeOptions,
  roleOf: (key: string | null) => "service" | "public" | null,
): Hono {
  const app = new Hono().basePath("/realtime/v1");
  app.use(
    cors({
      origin: "*",
      allowMethods: ["POST", "OPTIONS"],
      allowHeaders: ["authorization", "apikey", "content-type", "x-client-info"],
    }),
  );

  const maySend = async (request: Request, topic: string): Promise<boolean> => {
    const token = bearerToken(request);
    if ([token, request.headers.get("apikey")].some((key) => roleOf(key) === "service"))
      return true;
    const claims = token === null ? null : verifySession(token);
    return claims !== null && (await relay.rights(topic, claims)).writes;
  };
  const send = async (
    request: Request,
    wanted: readonly { topic: string; event: string; content: Content }[],
  ): Promise<Response> => {
    for (const topic of new Set(wanted.map(({ topic }) => topic))) {
      if (!(await maySend(request, topic)))
        return Response.json({ error: "Unauthorized" }, { status: 403 });
    }
    for (const message of wanted) await relay.send(message);
    return new Response(null, { status: 202 });
  };

  app.post("/api/broadcast", async (context) => {
    const body = messages.safeParse(await readJson(context.req.raw));
    if (!body.success) return context.json({ error: "The messages are not valid" }, 422);
    return send(
      context.req.raw,
      body.data.messages.map(({ topic, event, payload }) => ({
        topic,
        event,
        content: { json: payload ?? {} },
      })),
    );
  });
  app.post("/api/broadcast/:topic/events/:event", async (context) => {
    const named = z.object({ topic: name, event: name }).safeParse(context.req.param());
    if (!named.success) return context.json({ error: "The topic or event is not valid" }, 422);
    const { topic, event } = named.data;
    const isBytes = context.req.header("content-type") === "application/octet-stream";
    if (isBytes) {
      const bytes = Buffer.from(await context.req.arrayBuffer()).toString("base64");
      return send(context.req.raw, [{ topic, event, content: { bytes } }]);
    }
    const json = await readJson(context.req.raw);
    if (json === undefined) return context.json({ error: "The payload is not valid" }, 422);
    return send(context.req.raw, [{ topic, event, content: { json } }]);
  });
  app.notFound((context) => context.json({ error: "Not found" }, 404));
  // Failures are answered and logged in one place for all services.
  app.onError((error) => {
    throw error;
  });
  return app;
}
