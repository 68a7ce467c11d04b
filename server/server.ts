import type { Server } from "node:http";
import { fileURLToPath } from "node:url";
import type { Sql } from "postgres";
import { createOutsideSender } from "../supabase/functions/_shared/http/outside-request.ts";
import { READER_LIMITS, type ReaderLimits } from "../supabase/functions/_shared/http/send-to.ts";
import { createPushDelivery } from "../supabase/functions/_shared/messages/push-service.ts";
import { vapidSubject } from "../supabase/functions/_shared/messages/vapid-keys.ts";
import { ensureBuiltApart } from "./build/ensure-built.ts";
import type { Config } from "./config/config.ts";
import type { Secrets } from "./config/secrets.ts";
import type { Demo } from "./demo/demo.ts";
import { listen } from "./http/http-server.ts";
import { createListener } from "./http/listener.ts";
import { startDailyBackup } from "./jobs/daily-backup.ts";
import { deliveriesOf } from "./jobs/deliveries.ts";
import { startScheduler } from "./jobs/scheduler.ts";
import { createLog, type Log } from "./log.ts";
import { localUrl } from "./network/network.ts";
import { loadStripe } from "./payments/stripe-client.ts";
import { ROOT } from "./root.ts";
import { openData } from "./start/data.ts";
import { listenerParts, senderOf } from "./start/listener-parts.ts";
import { type Foundations, openServices, type Services } from "./start/services.ts";
import type { Tokens } from "./tokens/tokens.ts";
import { loadBuiltWeb } from "./web/built-web.ts";
import type { Web } from "./web/web.ts";

/** Grace period of scans that are still being written when the server stops. */
const BACKGROUND_MS = 5_000;

/** Timeout of a caller that waits for the result of the same work. */
const SETTLED_MS = 60_000;

/** A server that answers. */
export type RunningServer = {
  /** Origin at which this machine reaches it. */
  url: string;
  /** Origin at which people reach it: `PUBLIC_URL`, the address on the local network, or the same. */
  publicUrl: string;
  port: number;
  dataFolder: string;
  /** The folder that was asked for, when the database's account cannot enter it. */
  movedFrom: string | null;
  secrets: Secrets;
  /** How its access tokens are signed and checked. */
  tokens: Tokens;
  demo: Demo | null;
  /** Administrator's connections: row-level security does not apply to them. */
  adminSql: Sql;
  /** Settles when the server cannot go on because its database is gone. */
  failed: Promise<void>;
  /** Reads the signing keys now, besides every few seconds. */
  refreshKeys(): Promise<void>;
  /** Waits, a minute at most, for work that goes on after its answer. */
  settled(): Promise<void>;
  /** Finishes what is in flight, then closes everything, the database last. */
  stop(): Promise<void>;
};

/** Dependencies that a caller may bring of its own. */
export type ServerOptions = {
  log?: Log;
  /** The web of `npm run dev`, which needs the HTTP server; by default the built one. */
  web?: (server: Server) => Promise<Web>;
  /** Callback when the web has to be built first. */
  onBuild?: () => void;
  /** How long exports wait for their readers, where not as `READER_LIMITS` says. */
  readerLimits?: ReaderLimits;
  /** Whether the data API's own executor answers: see `createDataApi`. */
  isExecuting?: () => boolean;
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
  const http = await listen(config.host, config.port);
  const loading = options.web ? options.web(http.server) : loadWeb(config, options.onBuild);
  // Awaited below; a refusal of the data is reported without waiting for the pages.
  loading.catch(() => undefined);
  if (config.payments.kind !== "off") loadStripe().catch(() => undefined);
  const data = await openData(config, { log }).catch(async (error: unknown) => {
    await http.stop();
    throw error;
  });
  try {
    const { readerLimits = READER_LIMITS, isExecuting = () => true } = options;
    return await serve({ config, log, http, web: await loading, data, readerLimits, isExecuting });
  } catch (error) {
    await http.stop();
    await data.close();
    throw error;
  }
}

async function loadWeb(config: Config, onStart: (() => void) | undefined): Promise<Web> {
  const dist = await ensureBuiltApart({ root: fileURLToPath(ROOT), ...(onStart && { onStart }) });
  return loadBuiltWeb(dist, config.captcha?.provider ?? null);
}

async function serve({
  readerLimits,
  isExecuting,
  web,
  ...foundations
}: Foundations & {
  web: Web;
  readerLimits: ReaderLimits;
  isExecuting: () => boolean;
}): Promise<RunningServer> {
  const { config, log, http, data } = foundations;
  const services = await openServices(foundations);
  const { publicUrl, tokens, demo, background, keyRing } = services;
  const listener = createListener(
    listenerParts({ ...foundations, ...services, web, readerLimits, isExecuting }),
  );
  // A balancer in front sends requests from here on.
  await http.answerWith(listener, services.realtime.upgrade);
  const work = startWork(foundations, services);

  let stopping: Promise<void> | null = null;
  const stop = async () => {
    await Promise.all([http.stop(), services.realtime.close()]);
    await background.settle(BACKGROUND_MS);
    await work.stop();
    await services.platform.then((running) => running.close()).catch(() => undefined);
    const { auth, payments, sql } = services;
    await Promise.all([auth.close(), payments.close(), sql.end({ timeout: 5 })]);
    keyRing.close();
    await data.close();
    log.flush();
  };
  return {
    url: localUrl(config.host, http.port),
    publicUrl,
    port: http.port,
    dataFolder: data.folder.path,
    movedFrom: data.folder.movedFrom,
    secrets: data.secrets,
    tokens,
    demo,
    adminSql: data.admin,
    failed: new Promise((resolve) => {
      data.broken.then(() => {
        if (stopping) return;
        log({ event: "database_died", level: "error" });
        log.flush();
        resolve();
      });
    }),
    refreshKeys: keyRing.refresh,
    settled: () => background.settle(SETTLED_MS),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** Starts the work that no request asks for: jobs, messages and the daily backup. */
function startWork(
  { config, log, data }: Foundations,
  { sql, now, publicUrl, payments, vapidKeys }: Services,
): { stop(): Promise<unknown> } {
  const { connections, loginUrl, adminUrl } = data;
  const deliveries = deliveriesOf(config, senderOf(sql, publicUrl, config), {
    payment: payments.deliver,
    push: createPushDelivery({
      sql,
      keys: vapidKeys,
      subject: vapidSubject(config.operator.contact_email, publicUrl),
      now,
      send: createOutsideSender(),
    }),
  });
  const scheduler = startScheduler({ connections, loginUrl, deliveries, log });
  const dailyBackup =
    config.databaseUrl === null
      ? startDailyBackup({
          adminUrl,
          dataFolder: data.folder.path,
          config: config.backup,
          log,
          now,
        })
      : null;
  return { stop: () => Promise.all([scheduler.stop(), dailyBackup?.stop()]) };
}
