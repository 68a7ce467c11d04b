import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { jwtVerify } from "jose";
import type { Sql } from "postgres";
import { z } from "zod";
import { listen } from "./listen.ts";

/** Address of the project, and the parts behind it. */
export type Gateway = {
  url: string;
  /** Addresses of the functions, and which of them require a valid token. */
  routes: Map<string, { address: string; verifyJwt: boolean }>;
  /** Origin of the service for sign-in and data; null until it has started. */
  platform: string | null;
  /** Files that the storage was asked to remove, as `bucket/path`. */
  removed: string[];
  /** Files that the storage has, as `bucket/path`. */
  files: ReadonlyMap<string, Buffer>;
  /** Keeps a file, as the storage does with what a policy has let through. */
  store(bucket: string, path: string, bytes: Buffer): Promise<void>;
  stop(): Promise<void>;
};

const removal = z.object({ prefixes: z.array(z.string()) });

/**
 * Plays the gateway of a hosted project: functions by name, behind the check of tokens where they were deployed with it, and
 * the rest of the platform. The storage supports what functions ask for, with the service's key: reading, writing and
 * removing files (https://supabase.github.io/storage/).
 */
export async function startGateway(options: {
  admin: Sql;
  jwtSecret: string;
  serviceKey: string;
}): Promise<Gateway> {
  const { admin, jwtSecret, serviceKey } = options;
  const routes: Gateway["routes"] = new Map();
  const removed: string[] = [];
  const files = new Map<string, Buffer>();

  const callFunction = async (request: Request, body: Buffer, name: string): Promise<Response> => {
    const route = routes.get(name);
    if (!route) return Response.json({ code: "NOT_FOUND" }, { status: 404 });
    const isOpen = !route.verifyJwt || request.method === "OPTIONS";
    if (!isOpen && !(await isToken(request.headers.get("authorization"), jwtSecret))) {
      return Response.json({ code: 401, message: "Invalid JWT" }, { status: 401 });
    }
    return pass(request, body, `${route.address}/${name}`);
  };

  const store = async (bucket: string, path: string, bytes: Buffer): Promise<void> => {
    files.set(`${bucket}/${path}`, bytes);
    await admin`
      insert into storage.objects (bucket_id, name) values (${bucket}, ${path})
      on conflict (bucket_id, name) do nothing`;
  };

  const keepFiles = async (request: Request, body: Buffer): Promise<Response> => {
    if (request.headers.get("apikey") !== serviceKey) return new Response(null, { status: 403 });
    const [bucket = "", ...path] = new URL(request.url).pathname.split("/").slice(4);
    const name = path.join("/");
    if (request.method === "DELETE") return removeFiles(bucket, body);
    if (request.method === "GET") {
      const bytes = files.get(`${bucket}/${name}`);
      return bytes
        ? new Response(new Uint8Array(bytes))
        : Response.json({ statusCode: "404", error: "not_found" }, { status: 400 });
    }
    await store(bucket, name, body);
    return Response.json({ Id: randomUUID(), Key: `${bucket}/${name}` });
  };

  const removeFiles = async (bucket: string, body: Buffer): Promise<Response> => {
    const { prefixes } = removal.parse(JSON.parse(body.toString("utf8")));
    for (const path of prefixes) {
      removed.push(`${bucket}/${path}`);
      files.delete(`${bucket}/${path}`);
    }
    await admin.begin(async (sql) => {
      await sql`select set_config('storage.allow_delete_query', 'true', true)`;
      await sql`delete from storage.objects where bucket_id = ${bucket} and name = any (${prefixes})`;
    });
    return Response.json([]);
  };

  const answer = async (request: Request, body: Buffer): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const [, area = "", version, name = ""] = pathname.split("/");
    if (area === "functions" && version === "v1") return callFunction(request, body, name);
    if (area === "storage") return keepFiles(request, body);
    return gateway.platform === null
      ? Response.json({ message: "not there" }, { status: 503 })
      : pass(request, body, `${gateway.platform}${pathname}`);
  };

  const server = createServer(async (incoming, response) => {
    try {
      const body = await buffer(incoming);
      await write(await answer(requestOf(incoming), body), response);
    } catch (error) {
      process.stderr.write(`gateway: ${error}\n`);
      response.writeHead(502).end();
    }
  });
  const port = await listen(server);
  const gateway: Gateway = {
    url: `http://127.0.0.1:${port}`,
    routes,
    platform: null,
    removed,
    files,
    store,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return gateway;
}

async function isToken(header: string | null, secret: string): Promise<boolean> {
  const token = /^Bearer (.+)$/.exec(header ?? "")?.[1] ?? "";
  return jwtVerify(token, new TextEncoder().encode(secret)).then(
    () => true,
    () => false,
  );
}

/** Sends a request on to another address, with its query. */
function pass(request: Request, body: Buffer, address: string): Promise<Response> {
  return fetch(`${address}${new URL(request.url).search}`, {
    method: request.method,
    headers: request.headers,
    redirect: "manual",
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
}

/** Headers that belong to one connection, and are not passed on. */
const OWN_HEADERS = ["host", "connection", "content-length", "transfer-encoding", "expect"];
const OWN_ANSWER_HEADERS = ["content-encoding", "content-length", "transfer-encoding"];

/** A request without its body. */
function requestOf(incoming: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (!OWN_HEADERS.includes(name) && typeof value === "string") headers.set(name, value);
  }
  headers.set("x-forwarded-for", incoming.socket.remoteAddress ?? "127.0.0.1");
  const address = `http://${incoming.headers.host}${incoming.url}`;
  return new Request(address, { method: incoming.method ?? "GET", headers });
}

async function write(answered: Response, response: ServerResponse): Promise<void> {
  const headers = [...answered.headers].filter(([name]) => !OWN_ANSWER_HEADERS.includes(name));
  response.writeHead(answered.status, headers.flat());
  response.end(Buffer.from(await answered.arrayBuffer()));
}
