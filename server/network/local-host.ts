import { BlockList, isIP } from "node:net";

const localNetworks = new BlockList();
for (const [address, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  localNetworks.addSubnet(address, prefix, "ipv4");
}
for (const [address, prefix] of [
  ["::1", 128],
  ["fc00::", 7],
  ["fe80::", 10],
] as const) {
  localNetworks.addSubnet(address, prefix, "ipv6");
}

/** Whether a host name or address belongs to this machine or its local network. */
export function isLocalHost(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const version = isIP(name);
  if (version > 0) return localNetworks.check(name, version === 6 ? "ipv6" : "ipv4");
  return name === "localhost" || name.endsWith(".localhost") || name.endsWith(".local");
}

/** Whether an address is this machine talking to itself. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\./.test(address) || address === "::1";
}
