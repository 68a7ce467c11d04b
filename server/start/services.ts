import type { Sql } from "postgres";
import { isDatabaseAway } from "../../supabase/functions/_shared/http/database-away.ts";
import type { VapidKeys } from "../../supabase/functions/_shared/messages/vapid-keys.ts";
import { type Auth, openAuth } from "../auth/open-auth.ts";
import { verifySession } from "../auth/tokens.ts";
import type { Config } from "../config/config.ts";
import { deriveSecret, readVapidKeys } from "../config/secrets.ts";
import { type Demo, ensureDemo } from "../demo/demo.ts";
import { readWheel } from "../demo/demo-wheel.ts";
import { openServicePool } from "../http/function-deps.ts";
import type { HttpServer } from "../http/http-server.ts";
import { Background } from "../jobs/background.ts";
import { type Log, logFailure } from "../log.ts";
import { clientAddressOf } from "../network/client-address.ts";
import { localUrl, peoplesUrl } from "../network/network.ts";
import { openPayments, type PaymentService } from "../payments/open-payments.ts";
import { openRealtime, type Realtime } from "../realtime/open-realtime.ts";
import { startPlatform } from "../supabase-lite/platform.ts";
import { type OpenKeyRing, openKeyRing } from "../tokens/key-ring.ts";
import { createTokens, type Tokens } from "../tokens/tokens.ts";
import type { SiteFilling } from "../web/web.ts";
import type { Data } from "./data.ts";

/** Configuration, log, HTTP server and database, from which a server starts. */
export type Foundations = { config: Config; log: Log; http: HttpServer; data: Data };

/** Parts of a running server that requests and jobs share. */
export type Services = {
  /** Connections of the server functions. */
  sql: Sql;
  now: () => Date;
  /** Origin at which people reach the server. */
  publicUrl: string;
  demo: Demo | null;
  /** Segments of the demo's wheel, for the landing page. */
  wheel: SiteFilling["wheel"];
  keyRing: OpenKeyRing;
  tokens: Tokens;
  vapidKeys: VapidKeys;
  payments: PaymentService;
  background: Background;
  auth: Auth;
  realtime: Realtime;
  platform: ReturnType<typeof startPlatform>;
};

/** Opens what the server needs of its database and of other services; when it fails, no connection of its own stays open. */
export async function openServices({ config, log, http, data }: Foundations): Promise<Services> {
  const { secrets, connections, loginUrl, shortUrls } = data;
  const dataFolder = data.folder.path;
  const publicUrl = peoplesUrl(config, http.port);
  const demo = await ensureDemo({ config, admin: data.admin, dataFolder });
  const sql = openServicePool(connections.open, shortUrls.functions);
  const now = () => new Date();
  const librarySecret = deriveSecret(secrets.hashKey, "tokens for Supabase Lite");
  const opened = await openRequired({ config, log, http, data }, { sql, now, demo }).catch(
    async (error: unknown) => {
      await sql.end({ timeout: 5 });
      throw error;
    },
  );
  const tokens = createTokens({ ring: opened.keyRing, librarySecret, now });
  const background = new Background();
  const auth = openAuth({
    config,
    secrets,
    tokens,
    background,
    log,
    open: connections.open,
    loginUrl: shortUrls.api,
    siteUrl: publicUrl,
    port: http.port,
  });
  const realtime = openRealtime({
    open: connections.open,
    loginUrl,
    secrets,
    now,
    verifySession: (token) => verifySession({ tokens }, token),
    clientAddress: (incoming) => clientAddressOf(incoming, config.trustProxy),
    onFailure: (error) => {
      // The watch of the database has logged already that it is away.
      if (!isDatabaseAway(error)) logFailure(log, "realtime_failed", error);
    },
  });
  const platform = startPlatform({
    connections,
    secrets,
    librarySecret,
    tokens,
    sql,
    loginUrl: shortUrls.api,
  });
  // The requests that need it report it; a start does not fail for it.
  platform.catch((error: unknown) => logFailure(log, "platform_failed", error));
  return {
    ...opened,
    sql,
    now,
    publicUrl,
    demo,
    tokens,
    background,
    auth,
    realtime,
    platform,
  };
}

/** Opens the services without which a start fails: keys, the demo's wheel, payments. */
async function openRequired(
  { config, log, http, data }: Foundations,
  { sql, now, demo }: Pick<Services, "sql" | "now" | "demo">,
): Promise<Pick<Services, "keyRing" | "vapidKeys" | "wheel" | "payments">> {
  const dataFolder = data.folder.path;
  const keyRing = await openKeyRing({
    dataFolder,
    given: config.signingKeys,
    onFailure: (error) => logFailure(log, "signing_keys_failed", error),
  });
  const vapidKeys = config.vapidKeys ?? (await readVapidKeys(dataFolder));
  const wheel = demo && (await readWheel(sql, demo.slug));
  const { secrets, connections, loginUrl } = data;
  const payments = await openPayments({
    config,
    secrets,
    connections,
    loginUrl,
    now,
    log,
    url: localUrl(config.host, http.port),
  });
  return { keyRing, vapidKeys, wheel, payments };
}
