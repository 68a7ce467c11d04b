import { Socket } from "node:net";
import type { DatabaseHost } from "./address.ts";

/** Sockets of one purpose, as long as they are open. */
export class OpenSockets {
  readonly #sockets = new Set<Socket>();

  add(socket: Socket): Socket {
    for (const known of this.#sockets) if (known.destroyed) this.#sockets.delete(known);
    this.#sockets.add(socket);
    return socket;
  }

  /** Bytes that have come over them. */
  received(): number {
    let bytes = 0;
    for (const socket of this.#sockets) bytes += socket.bytesRead;
    return bytes;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }
}

/** A socket that is not connected yet. (The driver reads the host's name from it, for the certificate.) */
export function socketTo({ host, port }: DatabaseHost): Socket {
  return Object.assign(new Socket(), { host, port }).setNoDelay();
}
