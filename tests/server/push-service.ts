import { once } from "node:events";
import {
  createServer as createPlainServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer } from "node:https";
import { onTestFinished } from "vitest";
import type { Lookup } from "../../supabase/functions/_shared/http/outside-address.ts";
import {
  createOutsideFetch,
  createOutsideSender,
  type SendOutside,
} from "../../supabase/functions/_shared/http/outside-request.ts";

/** A message as a push service gets it. */
type Posted = { path: string; headers: IncomingHttpHeaders; body: Buffer };

/** An answer of a push service. */
type Verdict = { status: number; headers?: Record<string, string>; body?: string };

/** In place of a browser vendor's push service: HTTPS under its own name, on a free port of this machine. */
export type PushService = {
  /** Origin of the addresses that it gives to browsers. */
  origin: string;
  posted: Posted[];
  /** How the messages that come from now on fare. */
  answer(verdict: Verdict): void;
  /** How our own server reaches it: the name leads here, past the guard against this machine. */
  send: SendOutside;
  /** How a hosted function does. */
  fetch: SendOutside;
};

/**
 * Answers of push services, as they document them: RFC 8030, and
 * https://mozilla-services.github.io/autopush-rs/errors.html for Firefox.
 */
export const ANSWERS = {
  /** RFC 8030, section 5; Mozilla's autopush sends `TTL` as well. */
  taken: {
    status: 201,
    headers: { location: "https://push.example.com/m/gAAAAABm", ttl: "86400" },
  },
  /** autopush: « errno 103, expired URL endpoint ». */
  gone: {
    status: 410,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: 410, errno: 103, error: "Gone", message: "Subscription expired" }),
  },
  /** autopush: « errno 102, invalid URL endpoint ». */
  unknown: {
    status: 404,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: 404, errno: 102, error: "Not Found" }),
  },
  /** RFC 8030, section 8.4. */
  tooMany: { status: 429, headers: { "retry-after": "120" } },
  /** FCM, for a token of another pair of keys. */
  otherKey: {
    status: 403,
    body: "the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.\n",
  },
  trouble: { status: 503 },
  slow: { status: 408 },
  /** RFC 8030, section 7.2; autopush: « errno 104 ». */
  tooLarge: { status: 413 },
  elsewhere: { status: 307, headers: { location: "https://push.example.com/other" } },
} as const satisfies Record<string, Verdict>;

const NAME = "push.example.com";

/** Known to nobody but these tests: opens nothing, holds until 2126. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/HlG8Vs3syY7/9Py
KyltNBZDSs7PrzyFxHHKxvsKJTOhRANCAASXS687XzlV8pmlrFzQgoRDvPXtk495
Oy2f3NB1rZc4wb1YZEBH/celtRWZb/0nmR0Pk5ZgLh7oNr9aLjZrzvyI
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBqzCCAVCgAwIBAgIUWnvHWbXHJaNYcCaRRaxk+N5xFP4wCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcHVzaC5leGFtcGxlLmNvbTAgFw0yNjExMjMyMDAzMjRaGA8y
MTI2MTAzMDIwMDMyNFowGzEZMBcGA1UEAwwQcHVzaC5leGFtcGxlLmNvbTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABJdLrztfOVXymaWsXNCChEO89e2Tj3k7LZ/c
0HWtlzjBvVhkQEf9x6W1FZlv/SeZHQ+TlmAuHug2v1ouNmvO/IijcDBuMB0GA1Ud
DgQWBBQUdOgD/99flAWC4k+tLN2HlV4flTAfBgNVHSMEGDAWgBQUdOgD/99flAWC
4k+tLN2HlV4flTAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEHB1c2guZXhh
bXBsZS5jb20wCgYIKoZIzj0EAwIDSQAwRgIhAKTTafldIIo0cCCz4lgN1/DUUHxX
8OGnDuMi6CWpZtu3AiEAu6nebQdQvcXSJm+q48aw7UIq5XI4JJTt474C4PjsHIA=
-----END CERTIFICATE-----`;

/** Starts a push service; it stops with the test. */
export async function startPushService(): Promise<PushService> {
  const posted: Posted[] = [];
  let verdict: Verdict = ANSWERS.taken;
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    posted.push({
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(parts),
    });
    response.writeHead(verdict.status, verdict.headers).end(verdict.body);
  };
  const port = await listen(createServer({ key: KEY, cert: CERTIFICATE }, listener));
  // `fetch` takes no certificate of ours: what it sends arrives without one.
  const plainPort = await listen(createPlainServer(listener));
  return {
    origin: `https://${NAME}`,
    posted,
    answer: (next) => {
      verdict = next;
    },
    send: createOutsideSender({ ca: CERTIFICATE, port, lookup }),
    fetch: createOutsideFetch(lookup, (address, init) => {
      const { pathname } = new URL(String(address));
      return fetch(`http://127.0.0.1:${plainPort}${pathname}`, init);
    }),
  };
}

const lookup: Lookup = (_name, options, callback) =>
  options.all
    ? callback(null, [{ address: "127.0.0.1", family: 4 }])
    : callback(null, "127.0.0.1", 4);

/** Has a server listen on a free port of this machine until the test ends; answers the port. */
async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  return address.port;
}
