import type { IncomingMessage } from "node:http";

const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Name of the server where a request gives none, as HTTP/1.0 allows: no link leads anywhere else by it. */
export const NAMELESS_HOST = "localhost";

/**
 * Origin that a client used, as it says itself. It tells only this client where it came
 * to, so nothing is gained by lying; behind a proxy that ends TLS the scheme is the proxy's.
 */
export function originOf({ headers }: IncomingMessage): string {
  const host = headers.host ?? "";
  const scheme = headers["x-forwarded-proto"] === "https" ? "https" : "http";
  return `${scheme}://${HOST.test(host) ? host : NAMELESS_HOST}`;
}
