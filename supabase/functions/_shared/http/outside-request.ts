import { request as sendOver } from "node:https";
import { InsideAddressError, type Lookup, lookupOutside } from "./outside-address.ts";

/** Timeout of somebody else's service. */
const TIMEOUT_MS = 15_000;

/** A `POST` to an address that a browser gave us. */
type OutsideRequest = {
  headers: Readonly<Record<string, string>>;
  body: Uint8Array<ArrayBuffer> | null;
};

/** Answer as far as it is read: neither what it says nor where it points to. */
type OutsideAnswer = { status: number; retryAfter: string | null };

/** Sends a request out to the internet; throws `InsideAddressError` where its address leads elsewhere. */
export type SendOutside = (address: string, request: OutsideRequest) => Promise<OutsideAnswer>;

/** The host of an address that may be asked for: HTTPS by name, since a number is never looked up. */
function hostOf(address: string): string {
  const { hostname, protocol } = new URL(address);
  if (protocol !== "https:" || /^[\d.]+$|^\[/.test(hostname)) throw new InsideAddressError();
  return hostname;
}

/** Sends over a connection that finds its way by `lookup`: it goes to the very addresses that were looked at. */
export function createOutsideSender(
  connection: { lookup?: Lookup; ca?: string; port?: number } = {},
): SendOutside {
  const { lookup = lookupOutside, ...others } = connection;
  return async (address, { headers, body }) => {
    hostOf(address);
    return new Promise((resolve, reject) => {
      const sending = sendOver(
        address,
        {
          ...others,
          method: "POST",
          headers,
          lookup,
          signal: AbortSignal.timeout(TIMEOUT_MS),
          agent: false,
        },
        (response) => {
          const { statusCode: status = 0, headers: answered } = response;
          resolve({ status, retryAfter: answered["retry-after"] ?? null });
          response.destroy();
        },
      );
      sending.on("error", reject);
      sending.end(body);
    });
  };
}

/**
 * Sends by `fetch`, where a connection takes no lookup of ours: the hosted platform's Deno. The name is looked up before, and
 * by the connection once more: a name whose answer changes in between reaches what that platform lets its functions reach.
 */
export function createOutsideFetch(
  lookup = lookupOutside,
  send: typeof fetch = fetch,
): SendOutside {
  return async (address, { headers, body }) => {
    const host = hostOf(address);
    await new Promise<void>((resolve, reject) => {
      lookup(host, { all: true }, (error) => (error ? reject(error) : resolve()));
    });
    const response = await send(address, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return { status: response.status, retryAfter: response.headers.get("retry-after") };
  };
}
