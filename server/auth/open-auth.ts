import type { Sql } from "postgres";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { createKeyedHash } from "../../supabase/functions/_shared/http/keyed-hash.ts";
import type { Config } from "../config/config.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Background } from "../jobs/background.ts";
import type { Log } from "../log.ts";
import type { OpenPool } from "../postgres/connections.ts";
import { IDLE_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from "../postgres/timeouts.ts";
import type { Tokens } from "../tokens/tokens.ts";
import type { AuthDeps, AuthSettings } from "./deps.ts";
import { createPasswordQueue } from "./password-queue.ts";
import { createRefusals } from "./refusals.ts";

/** Connections of the service; a password is checked in a thread, not in a connection. */
const POOL_SIZE = 6;

const CLOSE_S = 5;

/** The authentication service of this process. */
export type Auth = {
  /** Answers a request that came from this address (as limits count it). */
  fetch(request: Request, clientAddress: string): Promise<Response>;
  close(): Promise<void>;
};

/**
 * Opens the service. Its modules load in the background: phone pages need none of them, and a
 * start waits for nothing that it does not need.
 */
export function openAuth(options: {
  config: Pick<Config, "google" | "captcha" | "sms" | "allowsAnonymous" | "isProduction">;
  secrets: Secrets;
  tokens: Tokens;
  open: OpenPool;
  loginUrl: string;
  /** Origin at which people reach us. */
  siteUrl: string;
  port: number;
  background: Background;
  log: Log;
}): Auth {
  const { secrets, tokens, background, log } = options;
  const sql = openAuthPool(options.open, options.loginUrl);
  // A request carries no address of its own; the connection's is kept beside it.
  const addresses = new WeakMap<Request, string>();
  const fail = (event: string) => (error: unknown) =>
    log({ event, level: "error", code: errorCode(error) });
  const now = () => new Date();
  const deps: AuthDeps = {
    sql,
    now,
    settings: settingsOf(options),
    secrets,
    tokens,
    clientAddress: (request) => addresses.get(request) ?? "unknown",
    keyedHash: createKeyedHash(secrets.hashKey),
    passwordQueue: createPasswordQueue(),
    refusals: createRefusals(now),
    fetch,
    later: (work) => background.run(work, fail("auth_message_failed")),
    log: (entry) => log({ level: "error", ...entry }),
  };
  const service = import("./service.ts").then(({ createAuthService }) => createAuthService(deps));
  service.catch(fail("auth_start_failed"));
  return {
    async fetch(request, clientAddress) {
      addresses.set(request, clientAddress);
      return (await service).fetch(request);
    },
    close: () => sql.end({ timeout: CLOSE_S }),
  };
}

/** Pool of the service: it logs in as the API and stays that account, which alone reads `auth`. */
export function openAuthPool(open: OpenPool, loginUrl: string): Sql {
  return open(loginUrl, {
    max: POOL_SIZE,
    connection: {
      application_name: "tournavis auth",
      TimeZone: "UTC",
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    },
  });
}

function settingsOf({
  config,
  siteUrl,
  port,
}: Pick<Parameters<typeof openAuth>[0], "config" | "siteUrl" | "port">): AuthSettings {
  return {
    siteUrl,
    // At one's own machine « localhost » and its addresses are the same place.
    redirectAllowList: config.isProduction
      ? []
      : ["localhost", "127.0.0.1", "[::1]"].map((host) => `http://${host}:${port}`),
    google: config.google,
    captcha: config.captcha,
    allowsAnonymous: config.allowsAnonymous,
    // Where nothing is configured on one's own machine, messages are captured: codes can be read.
    hasPhone: config.sms !== null || !config.isProduction,
    // A stolen session alone must not suffice to take over an account: as in supabase/config.toml.
    requiresReauthentication: true,
  };
}
