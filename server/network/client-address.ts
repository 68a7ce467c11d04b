import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { addressGroup } from "../../supabase/functions/_shared/http/address-group.ts";
import type { TrustProxy } from "../config/config.ts";

/**
 * Address of the client of a request, as limits count it (an IPv6 one by its /64). The
 * forwarded list can be written by any client; only the entries that trusted proxies
 * appended, read from the right, are believed.
 */
export function clientAddressOf(incoming: IncomingMessage, trust: TrustProxy): string {
  const socket = plain(incoming.socket.remoteAddress ?? "unknown");
  if (trust.kind === "none") return addressGroup(socket);
  const forwarded = forwardedFor(incoming);
  return addressGroup(
    trust.kind === "hops"
      ? afterHops(forwarded, trust.count, socket)
      : firstStranger([...forwarded, socket], trust.list),
  );
}

function afterHops(forwarded: readonly string[], hops: number, socket: string): string {
  // With fewer entries than proxies, the request bypassed a proxy: the nearest address is used.
  return forwarded.at(-hops) ?? forwarded[0] ?? socket;
}

function firstStranger(
  addresses: readonly string[],
  trusted: { check(address: string, family: "ipv4" | "ipv6"): boolean },
): string {
  for (const address of addresses.toReversed()) {
    if (!trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")) return address;
  }
  return addresses[0] ?? "unknown";
}

/** The forwarded addresses, client first; everything before an invalid address is ignored. */
function forwardedFor(incoming: IncomingMessage): string[] {
  const header = incoming.headers["x-forwarded-for"];
  const text = Array.isArray(header) ? header.join(",") : (header ?? "");
  const addresses: string[] = [];
  for (const entry of text.split(",").toReversed()) {
    const address = plain(entry.trim());
    if (isIP(address) === 0) break;
    addresses.unshift(address);
  }
  return addresses;
}

/** IPv4 as itself where IPv6 wraps it; without brackets, port and zone. */
function plain(address: string): string {
  const bare = address.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
  return bare.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
}
