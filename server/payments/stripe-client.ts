import type Stripe from "stripe";

/** Timeout of one response; the database holds a lock in the meantime. */
const TIMEOUT_MS = 10_000;

/** The library takes half a second to load: a server starts loading it early, and only once. */
export function loadStripe() {
  return import("stripe");
}

/** Makes the official client for the provider's HTTP API at an origin. */
export async function createStripe(secretKey: string, apiUrl: string): Promise<Stripe> {
  const { default: Client } = await loadStripe();
  const { protocol, hostname, port } = new URL(apiUrl);
  return new Client(secretKey, {
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    ...(port !== "" && { port }),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    // Telemetry off: the library would send the provider its own response times.
    telemetry: false,
  });
}
