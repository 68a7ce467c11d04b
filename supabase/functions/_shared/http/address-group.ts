import { isIPv6 } from "node:net";

/**
 * Group of client addresses that limits count as one: an IPv4 address itself, the /64 of an IPv6
 * one (a household or a phone gets a whole /64 and may change within it at will).
 */
export function addressGroup(address: string): string {
  const plain = address.replace(/%.*$/, "");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = "", tail = ""] = plain.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const middle = Array(8 - left.length - right.length).fill("0");
  const groups = [...left, ...middle, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
