import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { listen } from "./listen.ts";

/**
 * Fake of the platform's management API: it answers what the official CLI asks while it deploys, and keeps
 * what that sends. It does nothing with it: what arrived is what a project would run.
 */

/** Name of the project that the CLI deploys to. */
export const PROJECT_REF = "abcdefghijklmnopqrst";

const metadata = z.object({
  entrypoint_path: z.string(),
  import_map_path: z.string().optional(),
  /** Without a word the platform checks tokens in front of a function. */
  verify_jwt: z.boolean().default(true),
});

/** A function as it was uploaded. */
export type Deployed = z.infer<typeof metadata> & {
  name: string;
  /** Contents by path, from the root of the repository. */
  files: ReadonlyMap<string, Buffer>;
};

/** The fake, and what it was sent. */
export type ManagementApi = {
  url: string;
  functions: Deployed[];
  /** Settings that `config push` changed: bodies by resource. */
  settings: Map<string, unknown>;
  stop(): Promise<void>;
};

const project = {
  id: PROJECT_REF,
  ref: PROJECT_REF,
  organization_id: "organisation",
  organization_slug: "organisation",
  name: "tournavis",
  region: "eu-west-3",
  created_at: "2026-01-01T00:00:00Z",
  status: "ACTIVE_HEALTHY",
  database: {
    host: "localhost",
    version: "17.6.1",
    postgres_engine: "17",
    release_channel: "ga",
  },
};

/** A new project's settings, as far as the CLI compares them. */
const config = {
  data: {
    id: PROJECT_REF,
    type: "project_config",
    attributes: {
      auth: { site_url: "http://localhost:3000", enable_signup: true },
    },
  },
};

/** Starts it on a free port of this machine. */
export async function startManagementApi(): Promise<ManagementApi> {
  const functions: Deployed[] = [];
  const settings = new Map<string, unknown>();

  const answer = async (method: string, url: URL, body: Buffer, type: string) => {
    const path = url.pathname.replace(`/projects/${PROJECT_REF}`, "");
    if (method === "GET" && path === "/v1") return project;
    if (method === "GET" && path === "/v2/config") return config;
    if (method === "GET" && path === "/v1/functions") return [];
    if (method === "GET" && path === "/v1/billing/addons") {
      return { selected_addons: [], available_addons: [] };
    }
    if (method === "POST" && path === "/v1/functions/deploy") {
      const name = url.searchParams.get("slug") ?? "";
      functions.push(await readUpload(name, body, type));
      return { id: name, slug: name, name, status: "ACTIVE", version: 1 };
    }
    if (method === "PUT" && path === "/v1/functions") return { functions: [] };
    if (method === "PATCH") {
      const changes: object = JSON.parse(body.toString("utf8"));
      settings.set(path, changes);
      // The CLI reads the answer, and looks for more than it sent.
      return { db_pool: null, ...changes };
    }
    return null;
  };

  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? "", "http://localhost");
    const { method = "" } = incoming;
    const told = await answer(
      method,
      url,
      await buffer(incoming),
      incoming.headers["content-type"] ?? "",
    );
    const status = told === null ? 404 : method === "POST" ? 201 : 200;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(told ?? { message: `${method} ${url.pathname} is unknown here.` }));
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    functions,
    settings,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readUpload(name: string, body: Buffer, type: string): Promise<Deployed> {
  const form = await new Response(new Uint8Array(body), {
    headers: { "content-type": type },
  }).formData();
  const files = new Map<string, Buffer>();
  for (const part of form.getAll("file")) {
    if (typeof part === "string") throw new Error(`${name} was sent a file without a name.`);
    files.set(part.name, Buffer.from(await part.arrayBuffer()));
  }
  const said = form.get("metadata");
  const text = typeof said === "string" ? said : ((await said?.text()) ?? "");
  return { name, files, ...metadata.parse(JSON.parse(text)) };
}
