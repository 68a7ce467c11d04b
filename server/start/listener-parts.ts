import type { IncomingMessage } from "node:http";
import type { Sql } from "postgres";
import { apiTokenClaims } from "../../supabase/functions/_shared/http/api-token.ts";
import { isDatabaseUnable } from "../../supabase/functions/_shared/http/database-away.ts";
import { createFileStore } from "../../supabase/functions/_shared/http/file-store.ts";
import { createGooglePlaces } from "../../supabase/functions/_shared/http/google-places.ts";
import { createKeyedHash } from "../../supabase/functions/_shared/http/keyed-hash.ts";
import { recordScan } from "../../supabase/functions/_shared/http/record-scan.ts";
import type { ReaderLimits } from "../../supabase/functions/_shared/http/send-to.ts";
import type { MailSender } from "../../supabase/functions/_shared/messages/render.ts";
import { createApp } from "../app.ts";
import { readBackupState } from "../backup/backup-state.ts";
import type { Config } from "../config/config.ts";
import { contactAddressOf } from "../config/contact-address.ts";
import { createDataApi } from "../http/data-api.ts";
import { createTokenVerifier } from "../http/function-deps.ts";
import type { ListenerOptions } from "../http/listener.ts";
import { countConnections, createMetrics } from "../http/metrics.ts";
import { transportSecurity } from "../http/security-headers.ts";
import { encodeApart } from "../images/encode-apart.ts";
import { countWork } from "../jobs/work-figures.ts";
import { logFailure } from "../log.ts";
import { createMailbox } from "../mailbox/mailbox.ts";
import { clientAddressOf } from "../network/client-address.ts";
import { localUrl } from "../network/network.ts";
import { createStorage, readLogo } from "../supabase-lite/storage.ts";
import { type CustomerPages, createCustomerPages } from "../web/customer-pages.ts";
import { createSitePages, type SitePages } from "../web/site-pages.ts";
import type { Web } from "../web/web.ts";
import type { Foundations, Services } from "./services.ts";

type ListenerParts = Omit<Foundations, "http"> &
  Services & { web: Web; readerLimits: ReaderLimits; isExecuting: () => boolean };

/** Makes the parts of a server that answer its requests. */
export function listenerParts(parts: ListenerParts): ListenerOptions {
  const { config, log, web, data, sql, realtime, publicUrl } = parts;
  const metrics = createMetrics({
    connections: () => countConnections(data.admin),
    work: () => countWork(sql),
    backups: () => readBackupState(data.folder.path),
    channels: () => realtime.figures(),
  });
  const clientAddress = (incoming: IncomingMessage) => clientAddressOf(incoming, config.trustProxy);
  const deps = functionDeps(parts);
  return {
    web,
    deps,
    clientAddress,
    metrics,
    log,
    customerPages: customerPagesOf(parts, { deps, clientAddress }),
    sitePages: sitePagesOf(parts),
    app: appOf(parts, { deps, clientAddress, metrics }),
    transportSecurity: transportSecurity(publicUrl),
  };
}

/** The sender of mails. */
export function senderOf(sql: Sql, siteUrl: string, { operator }: Config): MailSender {
  return { siteUrl, operator, readLogo: (path) => readLogo(sql, path) };
}

function functionDeps({
  config,
  log,
  data,
  sql,
  now,
  tokens,
  payments,
  platform,
  readerLimits,
}: ListenerParts): ListenerOptions["deps"] {
  const { secrets, connections } = data;
  return {
    sql,
    now,
    payments: payments.payments,
    keyedHash: createKeyedHash(secrets.hashKey),
    verifyAccessToken: createTokenVerifier({ tokens }),
    logos: {
      // The address is only a name: nothing is sent over the network.
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
}

type Answering = Pick<ListenerOptions, "deps" | "clientAddress">;

function customerPagesOf(
  { config, log, web, data, sql, background, demo, publicUrl }: ListenerParts,
  { deps, clientAddress }: Answering,
): CustomerPages {
  return createCustomerPages({
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
      if (isDatabaseUnable(error)) data.connections.failed(error);
      else logFailure(log, "page_failed", error);
    },
  });
}

/** Ways to sign in that this server offers besides a password. */
function signInOffers(config: Config): { google: boolean; phone: boolean } {
  return { google: config.google !== null, phone: config.sms !== null };
}

function sitePagesOf({ config, web, payments, demo, wheel }: ListenerParts): SitePages {
  return createSitePages({
    web,
    publicUrl: config.publicUrl,
    filling: {
      operator: config.operator,
      claims: config.claims,
      offers: {
        ...signInOffers(config),
        captcha: config.captcha !== null,
        contact: contactAddressOf(config) !== null,
        payments: payments.payments !== null,
      },
      demoSlug: demo?.slug ?? null,
      wheel,
    },
  });
}

function appOf(
  parts: ListenerParts,
  { deps, clientAddress, metrics }: Answering & Pick<ListenerOptions, "metrics">,
): ListenerOptions["app"] {
  const { config, log, data, sql, payments, tokens, platform, auth, realtime } = parts;
  const { captcha, isProduction } = config;
  const { secrets, connections } = data;
  return createApp({
    dataApi: createDataApi({
      ...deps,
      platform,
      secrets,
      tokens,
      isExecuting: parts.isExecuting,
      log,
    }),
    storage: createStorage({ sql, platform }),
    auth,
    realtime,
    clientAddress,
    pushKey: parts.vapidKeys.publicKey,
    showsPublicRating: config.places !== null,
    offers: {
      ...signInOffers(config),
      captcha: captcha && { provider: captcha.provider, site_key: captcha.siteKey },
    },
    keepsMail: config.mail === null && !isProduction,
    sql,
    database: connections,
    onFailure: (error) => logFailure(log, "request_failed", error),
    metrics,
    metricsToken: config.metricsToken,
    publishableKey: secrets.publishableKey,
    publicUrl: config.publicUrl,
    isProduction,
    operator: config.operator,
    demoSlug: parts.demo?.slug ?? null,
    mailbox: isProduction
      ? null
      : createMailbox({ sql, sender: senderOf(sql, parts.publicUrl, config) }),
    payments: payments.payments && {
      prices: payments.payments.prices,
      test: payments.payments.isTest,
    },
    sandbox: payments.sandbox,
  });
}
