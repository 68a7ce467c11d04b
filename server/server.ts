import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import postgres, { type Sql } from "postgres";
import { createKeyedHash } from "../supabase/functions/_shared/http/keyed-hash.ts";
import { recordScan } from "../supabase/functions/_shared/http/record-scan.ts";
import { createApp } from "./app.ts";
import type { Config } from "./config.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { type Demo, ensureDemo } from "./demo.ts";
import { createTokenVerifier, openServicePool } from "./deps.ts";
import { errorCode } from "./error-code.ts";
import { clientAddressOf } from "./http/client-address.ts";
import { createCustomerPages } from "./http/customer-pages.ts";
import { createHttpServer } from "./http/http-server.ts";
import { createListener } from "./http/listener.ts";
import { countConnections, createMetrics } from "./http/metrics.ts";
import { createLog, type Log } from "./log.ts";
import { lanAddress } from "./network.ts";
import { startPlatform } from "./platform.ts";
import { databaseRefusal } from "./postgres/database-refusal.ts";
import { loginPassword, openLoginRole } from "./postgres/login-role.ts";
import { openDatabase } from "./postgres/open-database.ts";
import { prepareDatabase } from "./postgres/prepare-database.ts";
import { readSecrets, type Secrets } from "./secrets.ts";
import { loadBuiltWeb } from "./web/built-web.ts";
import { ensureBuilt } from "./web/ensure-built.ts";
import type { Web } from "./web/web.ts";

/** Project's root: migrations, sources of the web and its build are found from here. */
const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Longest wait for scans that are still being written when the server stops. */
const BACKGROUND_MS = 5_000;

/** A server that answers. */
export type RunningServer = {
  /** Origin at which this machine reaches it. */
  url: string;
  /** Origin at which people reach it: `PUBLIC_URL`, the local network's address, or the same. */
  publicUrl: string;
  port: number;
  dataFolder: string;
  /** The folder that was asked for, when the database's account cannot enter it. */
  movedFrom: string | null;
  secrets: Secrets;
  demo: Demo | null;
  /** Administrator's connections: row-level security does not apply to them. */
  adminSql: Sql;
  /** Settles when the server cannot go on because its database is gone. */
  failed: Promise<void>;
  /** Finishes what is in flight, then closes everything, the database last. */
  stop(): Promise<void>;
};

/** What a caller may bring of its own. */
export type ServerOptions = {
  log?: Log;
  /** The web of `npm run dev`; by default the built one, built when needed. */
  web?: Web;
  /** Told when the web has to be built first. */
  onBuild?: () => void;
};

/**
 * Starts everything and answers when the first request can be answered. When something is
 * missing it throws (a `StartupError` with one sentence where a person can act on it) and
 * leaves nothing running.
 */
export async function startServer(
  config: Config,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const log = options.log ?? createLog(config.isProduction ? "json" : "compact");
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) {
      await closer().catch((error: unknown) => {
        log({ event: "stop_failed", level: "error", code: errorCode(error) });
      });
    }
    log.flush();
  };
  try {
    return await start(config, { ...options, log }, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  config: Config,
  options: ServerOptions & { log: Log },
  closers: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<RunningServer> {
  const { log } = options;
  let isStopping = false;

  const http = await listen(config.host, config.port);
  closers.push(() => http.stop());
  const [web, { folder, database, secrets, admin, loginUrl }] = await settleAll([
    options.web ?? loadWeb(options.onBuild),
    openData(config, closers),
  ]);

  const sql = openServicePool(loginUrl);
  closers.push(() => sql.end({ timeout: 5 }));
  const publicUrl = config.publicUrl ?? originFor(publicHost(config), http.port);
  const platform = startPlatform({ loginUrl, secrets, siteUrl: publicUrl });
  // Awaited by the requests that need it; a failure is theirs to report.
  platform.catch((error: unknown) => {
    log({ event: "platform_failed", level: "error", code: errorCode(error) });
  });
  closers.push(async () => (await platform).close());

  const background = new Set<Promise<unknown>>();
  closers.push(() =>
    Promise.race([Promise.allSettled(background), delay(BACKGROUND_MS, null, { ref: false })]),
  );

  const deps = {
    sql,
    now: () => new Date(),
    keyedHash: createKeyedHash(secrets.hashKey),
    verifyAccessToken: createTokenVerifier(secrets.jwtSecret),
    log: (entry: LogEntry) =>
      log({ ...entry, level: entry.event.endsWith("_failed") ? "error" : "info" }),
  };
  const clientAddress = (incoming: IncomingMessage) => clientAddressOf(incoming, config.trustProxy);
  const metrics = createMetrics(() => countConnections(admin));
  const customerPages = createCustomerPages({
    sql,
    web,
    recordScan: (incoming, slug, source) => {
      const request = new Request(publicUrl, {
        headers: { "user-agent": incoming.headers["user-agent"] ?? "" },
      });
      const address = clientAddress(incoming);
      const work = recordScan({ ...deps, clientAddress: () => address }, request, slug, source)
        .catch((error: unknown) => {
          log({ event: "scan_failed", level: "error", code: errorCode(error) });
        })
        .finally(() => background.delete(work));
      background.add(work);
    },
    onFailure: (error) => log({ event: "page_failed", level: "error", code: errorCode(error) }),
  });
  const app = createApp({
    platform,
    sql,
    metrics,
    metricsToken: config.metricsToken,
    publishableKey: secrets.publishableKey,
    publicUrl: config.publicUrl,
    isProduction: config.isProduction,
  });
  const demo = await ensureDemo({ config, admin, dataFolder: folder.path, loginUrl, secrets });
  http.answerWith(
    createListener({
      web,
      customerPages,
      deps,
      clientAddress,
      app,
      metrics,
      log,
      isSecureOrigin: publicUrl.startsWith("https:"),
    }),
  );

  // The last pushed is the first closed: no new requests, then the rest in turn.
  closers.push(closers.shift() ?? (async () => undefined));
  return {
    url: originFor(reachableHost(config.host), http.port),
    publicUrl,
    port: http.port,
    dataFolder: folder.path,
    movedFrom: folder.movedFrom,
    secrets,
    demo,
    adminSql: admin,
    failed: database.exited.then(() => {
      if (isStopping) return new Promise(() => undefined);
      log({ event: "database_died", level: "error" });
      log.flush();
      return undefined;
    }),
    stop: once(async () => {
      isStopping = true;
      await close();
    }),
  };
}
