import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../server/config/config.ts";
import { clientAddressOf } from "../../server/network/client-address.ts";

/** Address that a request counts under, when it comes from `socket` with this `X-Forwarded-For`. */
function addressOf(trustProxy: string, socket: string, forwarded?: string): string {
  const connection = new Socket();
  Object.defineProperty(connection, "remoteAddress", { value: socket });
  const incoming = new IncomingMessage(connection);
  if (forwarded !== undefined) incoming.headers["x-forwarded-for"] = forwarded;
  const { trustProxy: trust } = readConfig({
    env: { TRUST_PROXY: trustProxy },
    argv: [],
    cwd: "/",
  });
  return clientAddressOf(incoming, trust);
}

describe("clientAddressOf", () => {
  it.each([
    // Nobody is believed by default.
    ["", "203.0.113.9", undefined, "203.0.113.9"],
    ["", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["0", "::ffff:203.0.113.9", "198.51.100.1", "203.0.113.9"],
    // So many proxies: what the client itself wrote stands further left and is not read.
    ["1", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["1", "10.0.0.1", "192.0.2.66, 198.51.100.1", "198.51.100.1"],
    ["2", "10.0.0.1", "192.0.2.66, 198.51.100.1, 10.0.0.2", "198.51.100.1"],
    ["2", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["1", "10.0.0.1", undefined, "10.0.0.1"],
    ["1", "10.0.0.1", "", "10.0.0.1"],
    // Known proxies only.
    ["10.0.0.0/8", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["10.0.0.0/8", "10.0.0.1", "192.0.2.66, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
    ["10.0.0.0/8", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["10.0.0.0/8", "::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["10.0.0.0/8", "10.0.0.1", "10.0.0.2", "10.0.0.2"],
    ["2001:db8:1::/48", "2001:db8:1::5", "198.51.100.1", "198.51.100.1"],
    // An entry that is no address ends the list: nothing to its left was written by a proxy.
    ["2", "10.0.0.1", "198.51.100.1, nonsense, 192.0.2.4", "192.0.2.4"],
    ["1", "10.0.0.1", "nonsense", "10.0.0.1"],
    // Spellings of proxies.
    ["1", "10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["1", "10.0.0.1", "[2001:db8:7:8::9]:4711", "2001:db8:7:8::/64"],
    // A whole household shares a /64.
    ["", "2001:db8:7:8:9:a:b:c", undefined, "2001:db8:7:8::/64"],
  ])("TRUST_PROXY=%s, from %s, forwarded %s: %s", (trust, socket, forwarded, expected) => {
    expect(addressOf(trust, socket, forwarded)).toBe(expected);
  });
});
