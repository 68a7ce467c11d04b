import { networkInterfaces } from "node:os";
import type { Config } from "../config/config.ts";
import { isLocalHost } from "./local-host.ts";

const EVERYWHERE = ["0.0.0.0", "::"];

/** Origin at which this machine reaches a server that listens on this host and port. */
export function localUrl(host: string, port: number): string {
  if (EVERYWHERE.includes(host)) return `http://127.0.0.1:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Origin at which people reach it; what the operator says comes first. */
export function peoplesUrl(config: Pick<Config, "publicUrl" | "host">, port: number): string {
  if (config.publicUrl !== null) return config.publicUrl;
  if (!EVERYWHERE.includes(config.host)) {
    return localUrl(config.host === "127.0.0.1" ? "localhost" : config.host, port);
  }
  return localUrl(lanAddress() ?? "localhost", port);
}

/** Address of this machine for a phone on the same Wi-Fi; null without a network. */
function lanAddress(): string | null {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => address);
  return addresses.find(isLocalHost) ?? addresses[0] ?? null;
}
