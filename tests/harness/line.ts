import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A line to a PostgreSQL, or to a server, that can be cut, closed and held. */
type Line = {
  /** The other end's address at this end of the line. */
  url: string;
  /** Ends all connections; new ones are taken. */
  cut(): void;
  /** Ends all connections and takes no new ones. */
  close(): Promise<void>;
  /** Lets nothing through, neither way, and says so to nobody. */
  hold(): void;
  /** Is there again, as before `close` or `hold`. */
  open(): Promise<void>;
  /** Ends all connections, for good. */
  end(): void;
};

/** An address of this machine's own, where nobody else takes a port that is closed for a while. */
const HOST = process.platform === "linux" ? "127.83.12.10" : "127.0.0.1";

/** Lays a line to an address that names its port. The caller ends it. */
export async function layLine(to: string): Promise<Line> {
  const target = new URL(to);
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
  const url = new URL(to);
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
    end() {
      server.close();
      cut();
    },
  };
}
