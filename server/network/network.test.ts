import { networkInterfaces } from "node:os";
import { expect, it } from "vitest";
import { localUrl, peoplesUrl } from "./network.ts";

// The host that a server listens on, and where a program of this machine finds it.
it.each([
  ["127.0.0.1", "http://127.0.0.1:3000"],
  ["0.0.0.0", "http://127.0.0.1:3000"],
  ["::", "http://127.0.0.1:3000"],
  ["::1", "http://[::1]:3000"],
  ["192.168.1.20", "http://192.168.1.20:3000"],
  ["caisse.exemple", "http://caisse.exemple:3000"],
])("%s is reached from this machine at %s", (host, url) => {
  expect(localUrl(host, 3000)).toBe(url);
});

// The same, and where people find it.
it.each([
  ["127.0.0.1", "http://localhost:3000"],
  ["::1", "http://[::1]:3000"],
  ["192.168.1.20", "http://192.168.1.20:3000"],
])("%s is reached by people at %s", (host, url) => {
  expect(peoplesUrl({ publicUrl: null, host }, 3000)).toBe(url);
});

it.each(["127.0.0.1", "0.0.0.0"])("%s is reached where the operator says", (host) => {
  const publicUrl = "https://avis.exemple.fr";
  expect(peoplesUrl({ publicUrl, host }, 3000)).toBe(publicUrl);
});

/** Addresses at which other devices of the network reach this machine. */
const ADDRESSES = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .filter(({ family, internal }) => family === "IPv4" && !internal)
  .map(({ address }) => address);

it.each(["0.0.0.0", "::"])("%s is reached from a phone at an address of the network", (host) => {
  const { hostname, port } = new URL(peoplesUrl({ publicUrl: null, host }, 3000));
  expect(port).toBe("3000");
  expect(ADDRESSES.length > 0 ? ADDRESSES : ["localhost"]).toContain(hostname);
});
