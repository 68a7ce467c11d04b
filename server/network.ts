import { networkInterfaces } from "node:os";
import { isLocalHost } from "./local-host.ts";

/** Address of this machine on its local network, for a phone on the same Wi-Fi; null without a network. */
export function lanAddress(): string | null {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => address);
  return addresses.find(isLocalHost) ?? addresses[0] ?? null;
}

/** Origin under which people reach a server that listens on this host and port. */
export function originFor(host: string, port: number): string {
  const name = host === "127.0.0.1" || host === "::1" ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
