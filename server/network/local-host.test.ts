import { expect, it } from "vitest";
import { isLocalHost, isLoopback } from "./local-host.ts";

// An address or a name, whether it is of this machine or its network, and whether it is this machine itself.
it.each([
  ["127.0.0.1", true, true],
  ["127.8.9.10", true, true],
  ["::1", true, true],
  ["10.1.2.3", true, false],
  ["172.31.255.255", true, false],
  ["172.32.0.1", false, false],
  ["192.168.1.20", true, false],
  ["169.254.169.254", true, false],
  ["0.0.0.0", true, false],
  ["fe80::1", true, false],
  ["fd12:3456::1", true, false],
  ["198.51.100.7", false, false],
  ["2001:db8::1", false, false],
  ["1127.0.0.1", false, false],
])("%s: local %s, this machine %s", (address, isLocal, isItself) => {
  expect(isLocalHost(address)).toBe(isLocal);
  expect(isLoopback(address)).toBe(isItself);
});

it("knows names of this machine, and IPv4 addresses in the form of IPv6", () => {
  for (const name of ["localhost", "LOCALHOST", "app.localhost", "imprimante.local", "[::1]"]) {
    expect(isLocalHost(name), name).toBe(true);
  }
  for (const name of ["localhost.exemple.fr", "exemple.fr", "evil-localhost"]) {
    expect(isLocalHost(name), name).toBe(false);
  }
  expect(isLoopback("::ffff:127.0.0.1")).toBe(true);
  expect(isLoopback("::ffff:10.0.0.1")).toBe(false);
});
