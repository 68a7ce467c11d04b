import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Sql } from "postgres";
import type { Operator } from "#domain/schemas/operator.ts";
import {
  DATABASE_RETRY_S,
  isDatabaseUnable,
} from "../supabase/functions/_shared/http/database-away.ts";
import type { Prices } from "../supabase/functions/_shared/http/payments.ts";
import type { Auth } from "./auth/open-auth.ts";
import type { DataApi } from "./http/data-api.ts";
import { type Metrics, mayReadMetrics } from "./http/metrics.ts";
import { originOf } from "./http/origin.ts";
import { unavailable } from "./http/unavailable.ts";
import type { Connections } from "./postgres/connections.ts";
import { readiness } from "./postgres/readiness.ts";
import type { Realtime } from "./realtime/open-realtime.ts";
import type { Storage } from "./supabase-lite/storage.ts";

/** Dependencies of the routes beside pages, files and server functions. */
export type AppOptions = {
  dataApi: DataApi;
  storage: Storage;
  auth: Auth;
  realtime: Pick<Realtime, "fetch">;
  /** Address of a request's client, as limits count it. */
  clientAddress(incoming: IncomingMessage): string;
  /** Ways of the accounts that depend on the configuration: pages ask before they offer them. */
  offers: {
    google: boolean;
    phone: boolean;
    captcha: { provider: "turnstile" | "hcaptcha"; site_key: string } | null;
  };
  /**
   * Public key that browsers need for push messages: the public part of the installation's pair.
   */
  pushKey: string;
  /** Whether Google is asked what stores' public pages show. */
  showsPublicRating: boolean;
  /** Mails are kept in the mailbox instead of being sent. */
  keepsMail: boolean;
  sql: Sql;
  /** Whether the database answers and can write. */
  database: Pick<Connections, "isAway" | "isFull" | "failed">;
  /** Told what no part foresaw. */
  onFailure(error: unknown): void;
  metrics: Metrics;
  metricsToken: string | null;
  publishableKey: string;
  /** Origin that people use; null: the one that each request came to. */
  publicUrl: string | null;
  isProduction: boolean;
  /** Operator of the service, for the legal pages. */
  operator: Operator;
  /** Campaign that visitors may try; null without a demo shop. */
  demoSlug: string | null;
  /** Where messages that nothing sends can be read; null in production mode. */
  mailbox: Hono<{ Bindings: HttpBindings }> | null;
  /** Prices and mode that pages need to sell; null where payments are switched off. */
  payments: { prices: Prices; test: boolean } | null;
  /** The payment provider's place in the local mode: its HTTP API, and its pages. */
  sandbox: { api: Hono; site: Hono } | null;
};

/** The routes that are not worth a path of their own: sign-in, data API, configuration, health. */
export function createApp(options: AppOptions): Hono<{ Bindings: HttpBindings }> {
  const { sql, metrics } = options;
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.all("/rest/v1/*", (context) =>
    options.dataApi(context.req.raw, {
      address: () => options.clientAddress(context.env.incoming),
      requestId: requestIdOf(context.env.incoming),
    }),
  );
  app.all("/storage/v1/*", (context) => options.storage(context.req.raw));
  app.all("/realtime/v1/*", (context) => options.realtime.fetch(context.req.raw));
  app.all("/auth/v1/*", (context) =>
    options.auth.fetch(context.req.raw, options.clientAddress(context.env.incoming)),
  );

  app.get("/config.json", (context) =>
    context.json(
      {
        supabase_url: options.publicUrl ?? originOf(context.env.incoming),
        publishable_key: options.publishableKey,
        local: !options.isProduction,
        demo_slug: options.demoSlug,
        operator: options.operator,
        ...options.offers,
        push_key: options.pushKey,
        public_rating: options.showsPublicRating,
        mailbox: options.keepsMail,
        payments: options.payments,
      },
      200,
      { "cache-control": "no-cache" },
    ),
  );

  app.get("/healthz", (context) => context.text("ok\n", 200, { "cache-control": "no-store" }));

  app.get("/readyz", async (context) => {
    const state = await readiness(() => sql`select 1`, options.database);
    return context.text(`${state}\n`, state === "ready" ? 200 : 503, {
      "cache-control": "no-store",
      ...(state !== "ready" && { "retry-after": String(DATABASE_RETRY_S) }),
    });
  });

  app.get("/metrics", async (context) => {
    if (!mayReadMetrics(context.env.incoming, options.metricsToken)) return context.notFound();
    return context.body(await metrics.text(), 200, { "content-type": metrics.contentType });
  });

  if (options.mailbox) app.route("/_dev/mailbox", options.mailbox);
  if (options.sandbox) {
    app.route("/_dev/payments", options.sandbox.site);
    app.route("/v1", options.sandbox.api);
  }

  app.onError((error, context) => {
    if (isDatabaseUnable(error)) {
      options.database.failed(error);
      return unavailable(context.req.path, context.req.raw.headers);
    }
    options.onFailure(error);
    return context.json({ code: "internal_error", message: "Internal server error" }, 500);
  });

  app.notFound((context) => context.json({ code: "not_found", message: "Not found" }, 404));
  return app;
}

/** The identifier that the listener gave a request. */
function requestIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers["x-request-id"];
  return typeof id === "string" ? id : undefined;
}
