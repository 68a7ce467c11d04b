import { createClient } from "@supabase/supabase-js";
import type { Hono } from "hono";
import postgres, { type Sql } from "postgres";
import ws from "ws";
import type { AuthDeps, AuthSettings } from "../../../server/auth/deps.ts";
import { openAuthPool } from "../../../server/auth/open-auth.ts";
import { createPasswordQueue } from "../../../server/auth/password-queue.ts";
import { createRefusals } from "../../../server/auth/refusals.ts";
import { createAuthService } from "../../../server/auth/service.ts";
import { openLoginRole } from "../../../server/postgres/login-role.ts";
import { makeSigningKey, type SigningKey } from "../../../server/tokens/signing-keys.ts";
import { createTokens } from "../../../server/tokens/tokens.ts";
import { createKeyedHash } from "../../../supabase/functions/_shared/http/keyed-hash.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

// The platform's client asks for WebSocket even when nothing is subscribed; Node 20 has none.
if (!("WebSocket" in globalThis)) Object.assign(globalThis, { WebSocket: ws });

const SITE = "https://tournavis.exemple.fr";

/** A message that was written down for sending. */
type Message = {
  template: string;
  data: { url?: string; code?: string; newEmail?: string; name?: string; body?: string };
};

type Logged = Parameters<AuthDeps["log"]>[0];

/** The authentication service alone, on a database of its own, with a clock of its own: a millisecond a reading. */
export type Bench = {
  service: Hono;
  deps: AuthDeps;
  database: TestDatabase;
  settings: AuthSettings;
  /** Moves the service's clock; the database's stays where it is. */
  advance(ms: number): void;
  /** From now on requests come from here. */
  comeFrom(address: string): void;
  /** The official client, talking to the service without a network. */
  client(flowType?: "implicit" | "pkce"): ReturnType<typeof createBenchClient>;
  /** A call with the project's key; without a body it is a GET. */
  call(
    path: string,
    options?: { body?: unknown; token?: string; method?: string; headers?: Record<string, string> },
  ): Promise<{ status: number; headers: Headers; body: unknown; text: string }>;
  /** Messages to somebody, newest first, once all work has settled. */
  messages(to: string): Promise<Message[]>;
  /** The newest of them. */
  latest(to: string): Promise<Message>;
  /** Waits for the work that goes on after answers. */
  settle(): Promise<void>;
  /** Log entries of the service beside attempts to sign in. */
  log: Logged[];
  /** Attempts to sign in that it logged. */
  signIns: Logged[];
  stop(): Promise<void>;
};

function createBenchClient(fetch: typeof globalThis.fetch, flowType: "implicit" | "pkce") {
  const items = new Map<string, string>();
  return createClient(SITE, "sb_publishable_bench", {
    auth: {
      persistSession: true,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      experimental: { passkey: true },
      flowType,
      storage: {
        getItem: (name) => items.get(name) ?? null,
        setItem: (name, value) => void items.set(name, value),
        removeItem: (name) => void items.delete(name),
      },
    },
    global: { fetch },
  });
}

/** Starts it: call this in `beforeAll`. */
export async function startBench(
  options: {
    settings?: Partial<AuthSettings>;
    fetch?: typeof fetch;
    /** Keys that sign tokens; by default those of a new installation. */
    keys?: readonly SigningKey[];
    /** A database that several share, one after the other; by default one of its own. */
    database?: TestDatabase;
  } = {},
): Promise<Bench> {
  const database = options.database ?? (await createTestDatabase());
  const sql = await openPool(database);
  let offset = 0;
  let address = "192.0.2.1";
  const pending = new Set<Promise<void>>();
  const log: Bench["log"] = [];
  const signIns: Bench["signIns"] = [];
  const settings: AuthSettings = {
    siteUrl: SITE,
    redirectAllowList: [],
    google: null,
    captcha: null,
    allowsAnonymous: false,
    hasPhone: true,
    requiresReauthentication: false,
    ...options.settings,
  };
  // One-time passwords change every 30 seconds: the clock begins at such an edge, and no test comes near the next.
  const start = Math.ceil(Date.now() / 30_000) * 30_000;
  let readings = 0;
  const now = () => {
    readings += 1;
    return new Date(start + offset + readings);
  };
  const keys = options.keys ?? [
    makeSigningKey("ES256", { status: "in_use", now: new Date(start) }),
  ];
  const deps: AuthDeps = {
    sql,
    tokens: createTokens({ ring: { keys: () => keys }, librarySecret: "", now }),
    now,
    settings,
    secrets: {
      publishableKey: "sb_publishable_bench",
      secretKey: "sb_secret_bench",
    },
    clientAddress: () => address,
    keyedHash: createKeyedHash("a key of the tests"),
    passwordQueue: createPasswordQueue(),
    refusals: createRefusals(now),
    fetch: options.fetch ?? fetch,
    later: (work) => {
      const settled = work
        .catch((error: unknown) => void log.push({ event: String(error) }))
        .finally(() => pending.delete(settled));
      pending.add(settled);
    },
    log: (entry) => void (entry.event === "sign_in" ? signIns : log).push(entry),
  };
  const service = createAuthService(deps);
  const settle = async () => {
    while (pending.size > 0) await Promise.all(pending);
  };
  const messages = async (to: string) => {
    await settle();
    return database.sql<Message[]>`
      select template, data from private.outbox where recipient = ${to} order by id desc`;
  };
  return {
    service,
    deps,
    database,
    settings,
    log,
    signIns,
    settle,
    messages,
    advance: (ms) => {
      offset += ms;
    },
    comeFrom: (from) => {
      address = from;
    },
    client: (flowType = "implicit") =>
      createBenchClient(async (input, init) => service.fetch(new Request(input, init)), flowType),
    async call(path, { body, token, method, headers = {} } = {}) {
      const response = await service.fetch(
        new Request(`${SITE}/auth/v1${path}`, {
          method: method ?? (body === undefined ? "GET" : "POST"),
          headers: {
            apikey: deps.secrets.publishableKey,
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.includes("json") === true;
      return {
        status: response.status,
        headers: response.headers,
        body: isJson ? JSON.parse(text) : undefined,
        text,
      };
    },
    async latest(to) {
      const [message] = await messages(to);
      if (message === undefined) throw new Error(`No message to ${to}.`);
      return message;
    },
    async stop() {
      await settle();
      await sql.end();
      if (options.database === undefined) await database.drop();
    },
  };
}

/** The pool with which the server itself would come. */
async function openPool({ sql, url }: TestDatabase): Promise<Sql> {
  const password = "a password of the tests";
  return openAuthPool(postgres, await openLoginRole(sql, url, password));
}
