import { randomUUID } from "node:crypto";
import { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, type Http2Bindings, type HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { Deps } from "../../supabase/functions/_shared/http/deps.ts";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { refuse } from "../../supabase/functions/_shared/http/respond.ts";
import type { Log } from "../log.ts";
import { type CustomerPages, customerRoute } from "../web/customer-pages.ts";
import type { SitePages } from "../web/site-pages.ts";
import type { Web } from "../web/web.ts";
import { createFairQueue } from "./fair-queue.ts";
import { admitBody, callFunction, functionRoute, needsAdmission } from "./functions.ts";
import type { Metrics } from "./metrics.ts";
import { NAMELESS_HOST } from "./origin.ts";
import { putSecurityHeaders } from "./security-headers.ts";
import { sendDocument, sendUnread } from "./send.ts";

/** The parts that answer, hottest first. */
export type ListenerOptions = {
  web: Web;
  customerPages: CustomerPages;
  sitePages: SitePages;
  deps: Omit<Deps, "clientAddress">;
  clientAddress(incoming: IncomingMessage): string;
  app: Hono<{ Bindings: HttpBindings }>;
  metrics: Metrics;
  log: Log;
  /** Value of `Strict-Transport-Security`; null over plain HTTP. */
  transportSecurity: string | null;
};

/** A request, its response, and the path that was asked for. */
type Exchange = { incoming: IncomingMessage; response: ServerResponse; path: string };

/** The adapter's name for the host of requests that name none. */
const NAMELESS = { hostname: NAMELESS_HOST };

/** When an address may come again that has too many requests waiting, in seconds. */
const RETRY_S = 5;

/**
 * Routes left out of the log, since its readers have no interest in each other's visits; the
 * figures keep them.
 */
const UNLOGGED = new Set([
  "asset",
  "/healthz",
  "/readyz",
  "/metrics",
  "/config.json",
  "/_dev/mailbox",
  "/_dev/payments",
]);

/** The one route that takes more than a call has to say; it bounds its files itself. */
const STORAGE_ROUTE = "/storage/v1/*";

/** Routes of the small application, by their first words. */
const APP_ROUTES: readonly (readonly [prefix: string, route: string])[] = [
  ["/auth/v1/", "/auth/v1/*"],
  ["/rest/v1/", "/rest/v1/*"],
  ["/storage/v1/", STORAGE_ROUTE],
  ["/realtime/v1/", "/realtime/v1/*"],
  ["/config.json", "/config.json"],
  ["/healthz", "/healthz"],
  ["/readyz", "/readyz"],
  ["/metrics", "/metrics"],
  ["/_dev/mailbox", "/_dev/mailbox"],
  ["/_dev/payments", "/_dev/payments"],
  ["/v1/", "/v1/*"],
];

/**
 * Makes the function that Node calls for every request. Phone pages and files are answered
 * from memory without a `Request` or a `Response`; server functions get those, but no
 * router; everything else goes through Hono (docs/decisions has the figures).
 */
export function createListener(
  options: ListenerOptions,
): (incoming: IncomingMessage, response: ServerResponse) => void {
  const { web, customerPages, sitePages, metrics, log, app } = options;

  const listenFunction = getRequestListener((request, bindings) => {
    const incoming = http1(bindings).incoming;
    return callFunction(request, pathOf(incoming.url), {
      ...options.deps,
      clientAddress: () => options.clientAddress(incoming),
    });
  }, NAMELESS);
  const listenBoundedFunction = async (incoming: IncomingMessage, response: ServerResponse) => {
    if (await admitBody(incoming, response)) await listenFunction(incoming, response);
  };
  const listenApp = getRequestListener(
    (request, bindings) => app.fetch(request, http1(bindings)),
    NAMELESS,
  );
  // As for server functions: taking a megabyte apart, value by value, would delay every other request.
  const listenBoundedApp = async (incoming: IncomingMessage, response: ServerResponse) => {
    if (await admitBody(incoming, response, bodyTooLarge)) await listenApp(incoming, response);
  };

  const sendApplication = async (
    { incoming, response, path }: Exchange,
    { isKnown }: { isKnown: boolean },
  ) => {
    const document = await web.application(path);
    if (!isKnown) response.setHeader("x-robots-tag", "noindex");
    sendDocument(incoming, response, isKnown ? document : { ...document, status: 404 });
  };

  /** Answers with what the prefix of a path or a file decides; the route for the log, or null where neither does. */
  const answerHot = ({ incoming, response, path }: Exchange): string | null => {
    const customer = customerRoute(path);
    if (customer) {
      settle(customerPages(incoming, response, path), response, log);
      return customer;
    }
    const called = functionRoute(path);
    if (called) {
      const listen = needsAdmission(incoming) ? listenBoundedFunction : listenFunction;
      settle(listen(incoming, response), response, log);
      return called;
    }
    if (!isReading(incoming)) return null;
    const file = web.file(path);
    if (file) {
      sendDocument(incoming, response, file);
      return "asset";
    }
    const page = sitePages(incoming, response, path);
    if (page) settle(page, response, log);
    return page && path;
  };

  /** Answers a request, and returns its route for the log. */
  const answer = (exchange: Exchange): string => {
    const { incoming, response, path } = exchange;
    const answered = answerHot(exchange);
    if (answered !== null) return answered;
    const route = APP_ROUTES.find(([prefix]) => path.startsWith(prefix))?.[1];
    const isKnown = web.knows(path);
    // An existing page is sent to any client, a page for 404 to browsers alone.
    if (route || !isReading(incoming) || !(isKnown || wantsPage(incoming, path))) {
      const isBounded = route !== STORAGE_ROUTE && needsAdmission(incoming);
      const listen = isBounded ? listenBoundedApp : listenApp;
      settle(listen(incoming, response), response, log);
      return route ?? "unknown";
    }
    settle(sendApplication(exchange, { isKnown }), response, log);
    return "application";
  };

  const queue = createFairQueue();

  return (incoming, response) => {
    const id = randomUUID();
    incoming.headers["x-request-id"] = id;
    response.setHeader("x-request-id", id);
    putSecurityHeaders(response, options.transportSecurity);

    const exchange = { incoming, response, path: pathOf(incoming.url) };
    let route = web.middleware ? "development" : "waiting";
    recordAtEnd(exchange, { id, route: () => route, metrics, log });
    const proceed = () => {
      route = answer(exchange);
    };
    const begin = () => {
      if (web.middleware) web.middleware(incoming, response, proceed);
      else proceed();
    };
    if (queue.admit(options.clientAddress(incoming), { incoming, response }, begin)) return;
    route = "crowded";
    settle(
      sendUnread(response, refuse("too_many_attempts", { retryAfter: RETRY_S })),
      response,
      log,
    );
  };
}

/** Measures and logs a request when its response has ended; `route` is asked for then. */
function recordAtEnd(
  { incoming, response }: Exchange,
  { id, route, metrics, log }: { id: string; route: () => string; metrics: Metrics; log: Log },
): void {
  const arrived = performance.now();
  response.once("close", () => {
    const milliseconds = performance.now() - arrived;
    // 499, as proxies write it: the client went away before the answer.
    const status = response.writableFinished ? response.statusCode : 499;
    metrics.observe(route(), incoming.method ?? "", status, milliseconds / 1000);
    // Why something is unavailable is logged once, where it was detected.
    const isFailure = status >= 500 && status !== 503;
    if (UNLOGGED.has(route()) && !isFailure) return;
    log({
      event: "request",
      ...(isFailure && { level: "error" }),
      id,
      method: incoming.method,
      route: route(),
      status,
      milliseconds: Math.round(milliseconds * 10) / 10,
    });
  });
}

/** Error body of the services behind the application. */
function bodyTooLarge(): Response {
  return Response.json({ code: "body_too_large", message: "Body too large" }, { status: 413 });
}

/** Handles an unforeseen failure: an answer for the client, a code for the log. */
function settle(work: Promise<void>, response: ServerResponse, log: Log): void {
  work.catch((error: unknown) => {
    log({ event: "request_failed", level: "error", code: errorCode(error) });
    if (response.headersSent) response.destroy();
    else response.writeHead(500, { "content-length": 0 }).end();
  });
}

/** Our server speaks HTTP/1.1 only (a proxy in front may speak more). */
function http1(bindings: HttpBindings | Http2Bindings): HttpBindings {
  const { incoming, outgoing } = bindings;
  if (incoming instanceof IncomingMessage && outgoing instanceof ServerResponse) {
    return { incoming, outgoing };
  }
  throw new TypeError("not an HTTP/1.1 request");
}

function pathOf(url: string | undefined): string {
  const query = url?.indexOf("?") ?? -1;
  return (query < 0 ? url : url?.slice(0, query)) ?? "/";
}

function isReading({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

/** Whether a person typed or followed an address; false for a script that looks for a file. */
function wantsPage({ headers }: IncomingMessage, path: string): boolean {
  return !path.startsWith("/assets/") && (headers.accept?.includes("text/html") ?? false);
}
