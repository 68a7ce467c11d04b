import { fileURLToPath } from "node:url";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { inject } from "vitest";
import ws from "ws";
import { readConfig } from "../../server/config/config.ts";
import type { Log, LogLine } from "../../server/log.ts";
import { ROOT } from "../../server/root.ts";
import { type RunningServer, startServer } from "../../server/server.ts";
import { loadBuiltWeb } from "../../server/web/built-web.ts";
import type { Web } from "../../server/web/web.ts";
import type { ReaderLimits } from "../../supabase/functions/_shared/http/send-to.ts";
import type { Database } from "../../supabase/types/database.types.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { PASSWORD } from "./fixtures.ts";

// The platform's client asks for WebSocket even when nothing is subscribed; Node 20 has none.
if (!("WebSocket" in globalThis)) Object.assign(globalThis, { WebSocket: ws });

const WITHOUT_SESSION = {
  auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
};

/** The official client of a server at an address, which keeps no session. */
export function createTestClient(url: string, key: string) {
  return createClient<Database>(url, key, WITHOUT_SESSION);
}

/** The client that the back-office uses, typed by our schema. */
type Client = ReturnType<typeof createTestClient>;

/** Answer of a server function. */
type Answer = {
  status: number;
  headers: Headers;
  /** The bytes of the body, as text. */
  text: string;
  /** The body parsed as JSON; undefined when invalid. */
  body: unknown;
};

/** How a call is made, beside its body. */
type CallOptions = {
  /** Access token of a signed-in member. */
  token?: string;
  /** Address that the call seems to come from: limits count it. */
  address?: string;
  headers?: Record<string, string>;
  method?: string;
};

/** The least that production mode asks for; its mails would go nowhere, and nobody can pay. */
export const PRODUCTION = {
  PAYMENTS: "off",
  PUBLIC_URL: "https://avis.exemple.fr",
  SMTP_URL: "smtp://127.0.0.1:9",
  MAIL_FROM: "Tournavis <bonjour@avis.exemple.fr>",
};

/** The whole product, running in this process on a database of its own. */
export type TestServer = {
  url: string;
  database: TestDatabase;
  running: RunningServer;
  /** Everything that was logged, oldest first. */
  log: LogLine[];
  /** Calls `functions/v1/<name>` with a JSON body; without a body it is a GET. */
  call(name: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** The platform's client with the publishable key and no session. */
  client(): Client;
  /** The same, signed in by e-mail and password; fixtures' users all have `PASSWORD`. */
  signIn(user: { email: string }, password?: string): Promise<{ client: Client; token: string }>;
  /** The same with a client without our types: for tables and functions that only a test has. */
  signInUntyped(user: { email: string }): Promise<{ client: SupabaseClient; token: string }>;
  /** Stops the server and removes its database: call it in `afterAll`. */
  stop(): Promise<void>;
};

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

/** Providers of a captcha that the pages may show; null for none. */
type Captcha = Parameters<typeof loadBuiltWeb>[1];

/** Folder of the built pages: while mutants are tried, of those that hold them (scripts/mutate/pages.ts). */
export const PAGES = process.env.MUTANT_PAGES || fileURLToPath(new URL("dist", ROOT));

/** The built pages, read once a worker: the command that runs the tests has built them, and they never change. */
const builtWeb = new Map<Captcha, Promise<Web>>();

function webFor(captcha: Captcha): Promise<Web> {
  const known = builtWeb.get(captcha);
  if (known !== undefined) return known;
  const loading = loadBuiltWeb(PAGES, captcha);
  builtWeb.set(captcha, loading);
  return loading;
}

/**
 * Starts the server on a free port: call it in `beforeAll`. It believes one forwarded address,
 * so that a test can be many customers. `env` and `argv` change its configuration; `database` lets
 * several servers share one; `readerLimits` shortens how long exports wait for their readers.
 */
export async function startTestServer({
  env = {},
  argv = ["--no-demo"],
  database,
  readerLimits,
  isExecuting,
}: {
  env?: Record<string, string>;
  argv?: string[];
  database?: TestDatabase;
  readerLimits?: ReaderLimits;
  isExecuting?: () => boolean;
} = {}): Promise<TestServer> {
  const { dataFolder } = inject("database");
  const own = database ?? (await createTestDatabase());
  const config = readConfig({
    env: {
      PORT: "0",
      DATABASE_URL: own.url,
      TOURNAVIS_DATA: dataFolder,
      TRUST_PROXY: "1",
      ...env,
    },
    argv,
    cwd: process.cwd(),
  });
  const lines: LogLine[] = [];
  const log: Log = Object.assign((line: LogLine) => void lines.push(line), { flush: () => {} });
  const running = await startServer(config, {
    log,
    web: () => webFor(config.captcha?.provider ?? null),
    ...(readerLimits && { readerLimits }),
    ...(isExecuting && { isExecuting }),
  });
  const client = () => createTestClient(running.url, running.secrets.publishableKey);
  return {
    url: running.url,
    database: own,
    running,
    log: lines,
    client,
    async call(name, body, { token, address, headers = {}, method } = {}) {
      const response = await fetch(`${running.url}/functions/v1/${name}`, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(address === undefined ? {} : { "x-forwarded-for": address }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return read(response);
    },
    async signIn({ email }, password = PASSWORD) {
      const signedIn = client();
      const { data, error } = await signedIn.auth.signInWithPassword({ email, password });
      if (error !== null) throw error;
      return { client: signedIn, token: data.session.access_token };
    },
    async signInUntyped({ email }) {
      const { url, secrets } = running;
      const signedIn = createClient(url, secrets.publishableKey, WITHOUT_SESSION);
      const { data, error } = await signedIn.auth.signInWithPassword({ email, password: PASSWORD });
      if (error !== null) throw error;
      return { client: signedIn, token: data.session.access_token };
    },
    async stop() {
      await running.stop();
      if (database === undefined) await own.drop();
    },
  };
}
