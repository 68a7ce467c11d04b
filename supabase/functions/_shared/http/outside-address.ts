import type { LookupAddress, LookupOptions } from "node:dns";
import { lookup as lookUp } from "node:dns";
import { BlockList, isIP } from "node:net";

/**
 * Requests to addresses that a client gave us (a browser's push service) go to the internet alone: never to this machine,
 * its network or a cloud's own services, whatever a name answers at that moment.
 */

/** Networks that are not the internet's (IANA's registries of special-purpose addresses). */
const NETWORKS = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const;

/** The same of IPv6, within what is given out at all. */
const NETWORKS_6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

const closed = new BlockList();
for (const [address, prefix] of NETWORKS) closed.addSubnet(address, prefix, "ipv4");
for (const [address, prefix] of NETWORKS_6) closed.addSubnet(address, prefix, "ipv6");

/**
 * Global unicast, the only IPv6 block that IANA allocates. Loopback, local networks and mapped IPv4 addresses are
 * outside it.
 */
const given = new BlockList();
given.addSubnet("2000::", 3, "ipv6");

/** Whether an address belongs to the internet. */
export function isOutside(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !closed.check(address, "ipv4");
  return version === 6 && given.check(address, "ipv6") && !closed.check(address, "ipv6");
}

/** A name leads to a place that is not the internet's. */
export class InsideAddressError extends Error {
  override readonly name = "InsideAddressError";
  readonly code = "inside_address";
  readonly isPermanent = true;

  constructor() {
    super("The address leads to this machine or its network.");
  }
}

type Callback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** How a connection finds the addresses of a name. */
export type Lookup = (hostname: string, options: LookupOptions, callback: Callback) => void;

/** Finds the addresses of a name, and refuses the name where one of them is not the internet's: the connection goes to those that were looked at. */
export const lookupOutside: Lookup = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || !first) return callback(error, []);
    if (!addresses.every(({ address }) => isOutside(address))) {
      return callback(new InsideAddressError(), []);
    }
    if (options.all) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};
