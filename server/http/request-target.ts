import type { IncomingMessage } from "node:http";

/** Target of a request in absolute form: its host, and what a target in origin form would be. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)([^#]*)/i;

/**
 * Takes the target of a request for what a server has to (RFC 9112, section 3.2): one in absolute form becomes its path, and its
 * host the request's. Returns false where a request names several hosts, which is to be refused.
 */
export function settleTarget(incoming: IncomingMessage): boolean {
  if (incoming.url?.startsWith("/") === false) {
    const [, host, path] = ABSOLUTE.exec(incoming.url) ?? [];
    if (host !== undefined && path !== undefined) {
      incoming.headers.host = host;
      incoming.url = path.startsWith("/") ? path : `/${path}`;
    }
  }
  return countHosts(incoming.rawHeaders) <= 1;
}

/** Fields of a list of names and values that are named `Host`. Of several, Node's `headers` has the first alone. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count;
}
