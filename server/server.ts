import type { IncomingMessage, Server } from "node:http";
import { fileURLToPath } from "node:url";
import type { Sql } from "postgres";
import { apiTokenClaims } from "../supabase/functions/_shared/http/api-token.ts";
import {
  isDatabaseAway,
  isDatabaseUnable,
} from "../supabase/functions/_shared/http/database-away.ts";
import { errorCode } from "../supabase/functions/_shared/http/error-code.ts";
import { createFileStore } from "../supabase/functions/_shared/http/file-store.ts";
import { createGooglePlaces } from "../supabase/functions/_shared/http/google-places.ts";
import { createKeyedHash } from "../supabase/functions/_shared/http/keyed-hash.ts";
import { recordScan } from "../supabase/functions/_shared/http/record-scan.ts";
import { READER_LIMITS, type ReaderLimits } from "../supabase/functions/_shared/http/send-to.ts";
import { createPushDelivery } from "../supabase/functions/_shared/messages/push-service.ts";
import type { MailSender } from "../supabase/functions/_shared/messages/render.ts";
import { type VapidKeys, vapidSubject } from "../supabase/functions/_shared/messages/vapid-keys.ts";
import { createApp } from "./app.ts";
import { type Auth, openAuth } from "./auth/open-auth.ts";
import { verifySession } from "./auth/tokens.ts";
import { readBackupState } from "./backup/backup-state.ts";
import { ensureBuiltApart } from "./build/ensure-built.ts";
import type { Config } from "./config/config.ts";
import { contactAddressOf } from "./config/contact-address.ts";
import { deriveSecret, readVapidKeys, type Secrets } from "./config/secrets.ts";
import { type Demo, ensureDemo } from "./demo/demo.ts";
import { readWheel } from "./demo/demo-wheel.ts";
import { createDataApi } from "./http/data-api.ts";
import { createTokenVerifier, openServicePool } from "./http/function-deps.ts";
import { type HttpServer, listen } from "./http/http-server.ts";
import { createListener, type ListenerOptions } from "./http/listener.ts";
import { countConnections, createMetrics } from "./http/metrics.ts";
import { transportSecurity } from "./http/security-headers.ts";
import { encodeApart } from "./images/encode-apart.ts";
import { Background } from "./jobs/background.ts";
import { startDailyBackup } from "./jobs/daily-backup.ts";
import { deliveriesOf } from "./jobs/deliveries.ts";
import { startScheduler } from "./jobs/scheduler.ts";
import { countWork } from "./jobs/work-figures.ts";
import { createLog, type Log } from "./log.ts";
import { createMailbox } from "./mailbox/mailbox.ts";
import { clientAddressOf } from "./network/client-address.ts";
import { localUrl, peoplesUrl } from "./network/network.ts";
import { openPayments, type PaymentService } from "./payments/open-payments.ts";
import { loadStripe } from "./payments/stripe-client.ts";
import { openRealtime, type Realtime } from "./realtime/open-realtime.ts";
import { ROOT } from "./root.ts";
import { type Data, openData } from "./start/data.ts";
import { startPlatform } from "./supabase-lite/platform.ts";
import { createStorage, readLogo } from "./supabase-lite/storage.ts";
import { openKeyRing } from "./tokens/key-ring.ts";
import { createTokens, type Tokens } from "./tokens/tokens.ts";
import { loadBuiltWeb } from "./web/built-web.ts";
import { createCustomerPages } from "./web/customer-pages.ts";
import { createSitePages } from "./web/site-pages.ts";
import type { SiteFilling, Web } from "./web/web.ts";

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

async function serve(parts: {
  config: Config;
  log: Log;
  http: HttpServer;
  web: Web;
  data: Data;
  readerLimits: ReaderLimits;
  isExecuting: () => boolean;
}): Promise<RunningServer> {
  const { config, log, http, data } = parts;
  const { secrets, admin, loginUrl, shortUrls, folder } = data;
  const publicUrl = peoplesUrl(config, http.port);
  const demo = await ensureDemo({ config, admin, dataFolder: folder.path });

  const { connections } = data;
  const sql = openServicePool(connections.open, shortUrls.functions);
  const closed = async (error: unknown) => {
    await sql.end({ timeout: 5 });
    throw error;
  };
  const now = () => new Date();
  const keyRing = await openKeyRing({
    dataFolder: folder.path,
    given: config.signingKeys,
    onFailure: (error) => logFailure(log, "signing_keys_failed", error),
  }).catch(closed);
  const librarySecret = deriveSecret(secrets.hashKey, "tokens for Supabase Lite");
  const tokens = createTokens({ ring: keyRing, librarySecret, now });
  const vapidKeys = config.vapidKeys ?? (await readVapidKeys(folder.path).catch(closed));
  const wheel = demo && (await readWheel(sql, demo.slug).catch(closed));
  const service = await openPayments({
    config,
    secrets,
    connections,
    loginUrl,
    url: localUrl(config.host, http.port),
    now,
    log,
  }).catch(closed);
  const background = new Background();
  const auth = openAuth({
    config,
    secrets,
    tokens,
    open: connections.open,
    loginUrl: shortUrls.api,
    siteUrl: publicUrl,
    port: http.port,
    background,
    log,
  });
  const realtime = openRealtime({
    open: connections.open,
    loginUrl,
    secrets,
    verifySession: (token) => verifySession({ tokens }, token),
    clientAddress: (incoming) => clientAddressOf(incoming, config.trustProxy),
    now,
    onFailure: (error) => {
      // Said once by who watches the database.
      if (!isDatabaseAway(error)) logFailure(log, "realtime_failed", error);
    },
  });
  const platform = startPlatform({
    connections,
    loginUrl: shortUrls.api,
    secrets,
    librarySecret,
    tokens,
    sql,
  });
  // The requests that need it report it; a start does not fail for it.
  platform.catch((error: unknown) => logFailure(log, "platform_failed", error));

  const listener = createListener(
    listenerParts({
      ...parts,
      sql,
      service,
      now,
      tokens,
      background,
      platform,
      auth,
      realtime,
      publicUrl,
      demo,
      wheel,
      vapidKeys,
    }),
  );
  // A balancer in front sends requests from here on.
  await http.answerWith(listener, realtime.upgrade);

  const sender = senderOf(sql, publicUrl, config);
  const deliveries = deliveriesOf(config, sender, {
    payment: service.deliver,
    push: createPushDelivery({
      sql,
      keys: vapidKeys,
      subject: vapidSubject(config.operator.contact_email, publicUrl),
      now,
    }),
  });
  const scheduler = startScheduler({ connections, loginUrl, deliveries, log });
  const dailyBackup =
    config.databaseUrl === null
      ? startDailyBackup({
          adminUrl: data.adminUrl,
          dataFolder: folder.path,
          config: config.backup,
          log,
          now,
        })
      : null;

  let stopping: Promise<void> | null = null;
  const stop = async () => {
    await Promise.all([http.stop(), realtime.close()]);
    await background.settle(BACKGROUND_MS);
    await Promise.all([scheduler.stop(), dailyBackup?.stop()]);
    await platform.then((running) => running.close()).catch(() => undefined);
    await Promise.all([auth.close(), service.close(), sql.end({ timeout: 5 })]);
    keyRing.close();
    await data.close();
    log.flush();
  };
  return {
    url: localUrl(config.host, http.port),
    publicUrl,
    port: http.port,
    dataFolder: folder.path,
    movedFrom: folder.movedFrom,
    secrets,
    tokens,
    demo,
    adminSql: admin,
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

function listenerParts({
  config,
  log,
  web,
  data,
  sql,
  service,
  now,
  tokens,
  background,
  platform,
  auth,
  realtime,
  publicUrl,
  demo,
  wheel,
  vapidKeys,
  readerLimits,
  isExecuting,
}: Parameters<typeof serve>[0] & {
  sql: Sql;
  service: PaymentService;
  now: () => Date;
  tokens: Tokens;
  background: Background;
  platform: ReturnType<typeof startPlatform>;
  auth: Auth;
  realtime: Realtime;
  publicUrl: string;
  demo: Demo | null;
  /** Segments of the demo's wheel, for the landing page. */
  wheel: SiteFilling["wheel"];
  vapidKeys: VapidKeys;
}): ListenerOptions {
  const { secrets, admin, connections } = data;
  const metrics = createMetrics({
    connections: () => countConnections(admin),
    work: () => countWork(sql),
    backups: () => readBackupState(data.folder.path),
    channels: () => realtime.figures(),
  });
  const clientAddress = (incoming: IncomingMessage) => clientAddressOf(incoming, config.trustProxy);
  const deps: ListenerOptions["deps"] = {
    sql,
    now,
    payments: service.payments,
    keyedHash: createKeyedHash(secrets.hashKey),
    verifyAccessToken: createTokenVerifier({ tokens }),
    logos: {
      // Without a way round through the network: the address is only a name.
      files: createFileStore(localUrl(config.host, 0), secrets.secretKey, async (input, init) =>
        (await platform).storage(new Request(input, init)),
      ),
      encode: encodeApart,
    },
    signApiToken: (keyId, seconds) => tokens.sign(apiTokenClaims(keyId, { now: now(), seconds })),
    contactAddress: contactAddressOf(config),
    ratingSource: config.places && createGooglePlaces(config.places),
    readerLimits,
    databaseFailed: connections.failed,
    log,
  };
  const customerPages = createCustomerPages({
    sql,
    web,
    origin: publicUrl,
    demoSlug: demo?.slug ?? null,
    operator: config.operator,
    recordScan: (incoming, slug, source) => {
      const address = clientAddress(incoming);
      const request = new Request(publicUrl, {
        headers: { "user-agent": incoming.headers["user-agent"] ?? "" },
      });
      background.run(
        recordScan({ ...deps, clientAddress: () => address }, request, slug, source),
        (error) => logFailure(log, "scan_failed", error),
      );
    },
    onFailure: (error) => {
      if (isDatabaseUnable(error)) connections.failed(error);
      else logFailure(log, "page_failed", error);
    },
  });
  const { captcha } = config;
  const offers = { google: config.google !== null, phone: config.sms !== null };
  const demoSlug = demo?.slug ?? null;
  const sitePages = createSitePages({
    web,
    publicUrl: config.publicUrl,
    filling: {
      operator: config.operator,
      claims: config.claims,
      offers: {
        ...offers,
        captcha: captcha !== null,
        contact: contactAddressOf(config) !== null,
        payments: service.payments !== null,
      },
      demoSlug,
      wheel,
    },
  });
  const app = createApp({
    dataApi: createDataApi({ ...deps, platform, secrets, tokens, isExecuting, log }),
    storage: createStorage({ sql, platform }),
    auth,
    realtime,
    clientAddress,
    pushKey: vapidKeys.publicKey,
    showsPublicRating: config.places !== null,
    offers: {
      ...offers,
      captcha: captcha && { provider: captcha.provider, site_key: captcha.siteKey },
    },
    keepsMail: config.mail === null && !config.isProduction,
    sql,
    database: connections,
    onFailure: (error) => logFailure(log, "request_failed", error),
    metrics,
    metricsToken: config.metricsToken,
    publishableKey: secrets.publishableKey,
    publicUrl: config.publicUrl,
    isProduction: config.isProduction,
    operator: config.operator,
    demoSlug,
    mailbox: config.isProduction
      ? null
      : createMailbox({ sql, sender: senderOf(sql, publicUrl, config) }),
    payments: service.payments && {
      prices: service.payments.prices,
      test: service.payments.isTest,
    },
    sandbox: service.sandbox,
  });
  return {
    ...{ web, customerPages, sitePages, deps, clientAddress, app, metrics, log },
    transportSecurity: transportSecurity(publicUrl),
  };
}

/** Whom mails come from. */
function senderOf(sql: Sql, siteUrl: string, { operator }: Config): MailSender {
  return { siteUrl, operator, readLogo: (path) => readLogo(sql, path) };
}

function logFailure(log: Log, event: string, error: unknown): void {
  log({ event, level: "error", code: errorCode(error) });
}
