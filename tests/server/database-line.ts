import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A line to a PostgreSQL that can be cut, closed and held. */
export type DatabaseLine = {
  /** The address of the database at this end of the line. */
  url: string;
  /** Ends all connections; new ones are taken. */
  cut(): void;
  /** Ends all connections and takes no new ones. */
  close(): Promise<void>;
  /** Lets nothing through, neither way, and says so to nobody. */
  hold(): void;
  /** Is there again, as before `close` or `hold`. */
  open(): Promise<void>;
};

/** An address of this machine's own, where nobody else takes a port that is closed for a while. */
const HOST = process.platform === "linux" ? "127.83.12.10" : "127.0.0.1";

/** Lays a line between a server and its database, which ends with the test. */
export async function layLine(databaseUrl: string): Promise<DatabaseLine> {
  const target = new URL(databaseUrl);
  const ends = new Set<Socket>();
  let isHeld = false;
  const hook = (from: Socket, to: Socket) => {
    ends.add(from);
    from.on("data", (bytes) => {
      if (!to.destroyed) to.write(bytes);
    });
    from.on("error", () => undefined);
    from.on("close", () => {
      ends.delete(from);
      to.destroy();
    });
    if (isHeld) from.pause();
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    hook(near, far);
    hook(far, near);
  });
  const listen = async (port: number) => {
    server.listen(port, HOST);
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return address.port;
  };
  const cut = () => {
    for (const end of ends) end.destroy();
  };
  const port = await listen(0);
  onTestFinished(() => {
    cut();
    server.close();
  });
  const url = new URL(databaseUrl);
  url.hostname = HOST;
  url.port = String(port);
  return {
    url: url.href,
    cut,
    async close() {
      const closed = once(server, "close");
      server.close();
      cut();
      await closed;
    },
    hold() {
      isHeld = true;
      for (const end of ends) end.pause();
    },
    async open() {
      isHeld = false;
      for (const end of ends) end.resume();
      if (!server.listening) await listen(port);
    },
  };
}
