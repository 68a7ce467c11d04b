import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { isLoopback } from "./local-host.ts";

/** Whether a request comes from a program on this machine, and through no proxy. */
export function isFromThisMachine({ headers, socket }: IncomingMessage): boolean {
  const isForwarded =
    headers["x-forwarded-for"] !== undefined ||
    headers.forwarded !== undefined ||
    headers["x-real-ip"] !== undefined;
  return !isForwarded && isLoopback(socket.remoteAddress ?? "");
}

/**
 * Whether a request also names this machine as its host. A browser here sends whatever name a
 * foreign page had resolved to 127.0.0.1; that page must not read what is for this machine only.
 */
export function isAddressedToThisMachine({ headers }: IncomingMessage): boolean {
  const name = (headers.host ?? "").replace(/:\d{1,5}$/, "").toLowerCase();
  const address = name.replace(/^\[(.*)\]$/, "$1");
  // A name may well begin like an address of this machine.
  return name === "localhost" || (isIP(address) > 0 && isLoopback(address));
}
