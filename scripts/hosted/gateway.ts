import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { jwtVerify } from "jose";
import type { Sql } from "postgres";
import { z } from "zod";

/** Address of the project, and the parts behind it. */
export type Gateway = {
  url: string;
  /** Where functions are, and which of them wait behind the check of tokens. */
  routes: Map<string, { address: string; verifyJwt: boolean }>;
  /** Origin of what answers sign-in and data; none until it has started. */
  platform: string | null;
  /** Files that the storage was asked to remove, as `bucket/path`. */
  removed: string[];
  stop(): Promise<void>;
};

const removal = z.object({ prefixes: z.array(z.string()) });

/**
 * Stands where a hosted project has its gateway: functions by name, behind the check of tokens where they were deployed
 * with it, and the rest of the platform. The storage knows one thing: removing files, with the service's key.
 */
export async function startGateway(options: {
  admin: Sql;
  jwtSecret: string;
  serviceKey: string;
}): Promise<Gateway> {
  const { admin, jwtSecret, serviceKey } = options;
  const routes: Gateway["routes"] = new Map();
  const removed: string[] = [];

  const isToken = async (header: string | null): Promise<boolean> => {
    const token = /^Bearer (.+)$/.exec(header ?? "")?.[1] ?? "";
    return jwtVerify(token, new TextEncoder().encode(jwtSecret)).then(
      () => true,
      () => false,
    );
  };

  const answer = async (request: Request, body: Buffer): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const [, area = "", version, name = ""] = pathname.split("/");
    const pass = (origin: string, path: string) =>
      fetch(`${origin}${path}${search}`, {
        method: request.method,
        headers: request.headers,
        redirect: "manual",
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
    if (area === "functions" && version === "v1") {
      const route = routes.get(name);
      if (!route) return Response.json({ code: "NOT_FOUND" }, { status: 404 });
      const isPreflight = request.method === "OPTIONS";
      if (
        route.verifyJwt &&
        !isPreflight &&
        !(await isToken(request.headers.get("authorization")))
      ) {
        return Response.json({ code: 401, message: "Invalid JWT" }, { status: 401 });
      }
      return pass(route.address, `/${name}`);
    }
    if (area === "storage" && request.method === "DELETE") {
      if (request.headers.get("apikey") !== serviceKey) return new Response(null, { status: 403 });
      const { prefixes } = removal.parse(JSON.parse(body.toString("utf8")));
      const bucket = pathname.split("/").at(-1) ?? "";
      removed.push(...prefixes.map((path) => `${bucket}/${path}`));
      await admin.begin(async (sql) => {
        await sql`select set_config('storage.allow_delete_query', 'true', true)`;
        await sql`delete from storage.objects where bucket_id = ${bucket} and name = any (${prefixes})`;
      });
      return Response.json([]);
    }
    return gateway.platform === null
      ? Response.json({ message: "not there" }, { status: 503 })
      : pass(gateway.platform, pathname);
  };

  const server = createServer(async (incoming, response) => {
    try {
      const body = await buffer(incoming);
      const headers = new Headers();
      for (const [name, value] of Object.entries(incoming.headers)) {
        const own = ["host", "connection", "content-length", "transfer-encoding", "expect"];
        if (!own.includes(name) && typeof value === "string") headers.set(name, value);
      }
      headers.set("x-forwarded-for", incoming.socket.remoteAddress ?? "127.0.0.1");
      const address = `http://${incoming.headers.host}${incoming.url}`;
      const answered = await answer(
        new Request(address, { method: incoming.method ?? "GET", headers }),
        body,
      );
      const told = [...answered.headers].filter(
        ([name]) => !["content-encoding", "content-length", "transfer-encoding"].includes(name),
      );
      response.writeHead(answered.status, told.flat());
      response.end(Buffer.from(await answered.arrayBuffer()));
    } catch (error) {
      process.stderr.write(`gateway: ${error}\n`);
      response.writeHead(502).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("There is no port.");
  const gateway: Gateway = {
    url: `http://127.0.0.1:${address.port}`,
    routes,
    platform: null,
    removed,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return gateway;
}
