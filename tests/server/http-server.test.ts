import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ClientTimeouts, listen } from "../../server/http/http-server.ts";

const PATIENT: ClientTimeouts = { headersMs: 15_000, requestMs: 30_000, stalledMs: 60_000 };

async function start(patience?: Partial<ClientTimeouts>) {
  const http = await listen("127.0.0.1", 0, patience && { ...PATIENT, ...patience });
  onTestFinished(() => http.stop());
  return { http, url: `http://127.0.0.1:${http.port}` };
}

describe("listen", () => {
  it("lets who comes early wait for the answer", async () => {
    const { http, url } = await start();
    const arrived = new Promise((resolve) => http.server.once("request", resolve));
    const early = fetch(url);
    await arrived;
    await http.answerWith((_, response) => void response.end("bonjour"));
    expect(await (await early).text()).toBe("bonjour");
  });

  it("opens a port that was asked for when it can answer, and not before", async () => {
    // An address of this machine's own where nobody else opens a port meanwhile.
    const host = process.platform === "linux" ? "127.83.12.9" : "127.0.0.1";
    const other = await listen(host, 0);
    const { port } = other;
    await other.stop();
    const http = await listen(host, port);
    onTestFinished(() => http.stop());
    const url = `http://${host}:${port}`;
    await expect(fetch(url)).rejects.toThrow();
    await http.answerWith((_, response) => void response.end("bonjour"));
    expect(await (await fetch(url)).text()).toBe("bonjour");
  });

  it("answers the request in flight, and closes its connection after it", async () => {
    const { http, url } = await start();
    const answers: (() => void)[] = [];
    const arrived = new Promise<void>((resolve) => {
      http.answerWith((_, response) => {
        answers.push(() => response.end("fini"));
        resolve();
      });
    });
    const asked = fetch(url);
    await arrived;
    const stopped = http.stop();
    await expect(fetch(url)).rejects.toThrow();
    for (const answer of answers) answer();
    const response = await asked;
    expect(response.headers.get("connection")).toBe("close");
    expect(await response.text()).toBe("fini");
    await stopped;
  });

  it("closes a connection that was answering when it stopped, once the answer is through", async () => {
    const { http, url } = await start();
    let finish = () => {};
    const begun = new Promise<void>((resolve) => {
      http.answerWith((_, response) => {
        response.write("début ");
        finish = () => response.end("fin");
        resolve();
      });
    });
    const text = new Promise<string>((resolve, reject) => {
      request(url, { headers: { connection: "keep-alive" } }, (response) => {
        let body = "";
        response.on("data", (chunk) => {
          body += chunk;
        });
        response.on("end", () => resolve(body));
      })
        .on("error", reject)
        .end();
    });
    await begun;
    const startedAt = performance.now();
    const stopped = http.stop();
    finish();
    expect(await text).toBe("début fin");
    await stopped;
    // Not the ten seconds after which connections are cut.
    expect(performance.now() - startedAt).toBeLessThan(9_000);
  });

  it("answers a request that was sent after one in flight, and says that it is the connection's last", async () => {
    const { http } = await start();
    let finish = () => {};
    const begun = new Promise<void>((resolve) => {
      http.answerWith((incoming, response) => {
        if (incoming.url === "/deux") return void response.end("deux");
        response.writeHead(200, { "content-length": 2 }).flushHeaders();
        finish = () => response.end("un");
        resolve();
      });
    });
    const client = connect(http.port, "127.0.0.1");
    client.write("GET /un HTTP/1.1\r\nhost: x\r\n\r\n");
    await begun;
    const stopped = http.stop();
    const arrived = once(http.server, "request");
    client.write("GET /deux HTTP/1.1\r\nhost: x\r\n\r\n");
    await arrived;
    finish();
    const [, first, second] = Buffer.concat(await client.toArray())
      .toString()
      .toLowerCase()
      .split("http/1.1 200 ok");
    expect(first).toMatch(/connection: keep-alive.*un$/s);
    expect(second).toMatch(/connection: close.*deux$/s);
    await stopped;
  });

  it.each([
    ["/un?a=b", "/un?a=b x"],
    ["http://boutique.fr/un?a=b", "/un?a=b boutique.fr"],
    ["HTTPS://boutique.fr:8443?a=b#c", "/?a=b boutique.fr:8443"],
    ["http://boutique.fr", "/ boutique.fr"],
  ])(
    "takes the target %s, as it comes through a proxy, for its path and host",
    async (target, seen) => {
      const { http } = await start();
      await http.answerWith(
        (incoming, response) => void response.end(`${incoming.url} ${incoming.headers.host}`),
      );
      const client = connect(http.port, "127.0.0.1");
      client.write(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      const text = Buffer.concat(await client.toArray()).toString();
      expect(text.split("\r\n\r\n")[1]).toBe(seen);
    },
  );

  it.each(["", "connection: upgrade\r\nupgrade: websocket\r\n"])(
    "refuses a request of two hosts, which nobody answers (%j)",
    async (offer) => {
      const { http } = await start();
      let asked = 0;
      await http.answerWith((_, response) => {
        asked += 1;
        response.end("lu");
      });
      const client = connect(http.port, "127.0.0.1").setTimeout(30_000, () => client.destroy());
      client.write(`GET / HTTP/1.1\r\nhost: x\r\n${offer}Host: y\r\n\r\n`);
      const text = Buffer.concat(await client.toArray()).toString();
      expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n.*connection: close/is);
      expect(asked).toBe(0);
    },
  );

  describe("refuses what is no request that it can read", () => {
    const LONG = `GET /${"x".repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`;

    /** Answer to a client that sends this and leaves its side open. */
    async function sent(port: number, text: string) {
      const client = connect(port, "127.0.0.1").setTimeout(30_000, () => client.destroy());
      client.write(text);
      return Buffer.concat(await client.toArray()).toString();
    }

    it("with the reason in JSON, for pages of other sites as well, where its headers are too large", async () => {
      const { http } = await start();
      await http.answerWith((_, response) => void response.end("lu"));
      const [head = "", body = ""] = (await sent(http.port, LONG)).split("\r\n\r\n");
      expect(head.split("\r\n")[0]).toBe("HTTP/1.1 431 Request Header Fields Too Large");
      expect(head).toContain("connection: close");
      expect(head).toContain("access-control-allow-origin: *");
      expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
      expect(JSON.parse(body)).toEqual({
        code: "headers_too_large",
        details: null,
        hint: "Send shorter lists, in several requests",
        message: "The address and the headers are too large",
      });
    });

    it("in its status alone otherwise", async () => {
      const { http } = await start();
      await http.answerWith((_, response) => void response.end("lu"));
      expect(await sent(http.port, "bonjour\r\n\r\n")).toBe(
        "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
      );
    });

    it("by closing, where an answer has begun", async () => {
      const { http } = await start();
      await http.answerWith((_, response) => void response.write("début"));
      const client = connect(http.port, "127.0.0.1").on("error", () => undefined);
      client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
      let text = "";
      client.on("data", (part) => {
        text += part;
        if (text.endsWith("début\r\n")) client.write(LONG);
      });
      await once(client, "close");
      expect(text).not.toContain("431");
    });

    it("and goes on where its client has left", async () => {
      const { http, url } = await start();
      await http.answerWith((_, response) => void response.end("lu"));
      const failed = once(http.server, "clientError");
      const client = connect(http.port, "127.0.0.1").on("error", () => undefined);
      client.write(LONG, () => client.resetAndDestroy());
      await failed;
      expect(await (await fetch(url)).text()).toBe("lu");
    });
  });

  it("answers a web socket that nobody takes in HTTP", async () => {
    const { http } = await start();
    await http.answerWith((_, response) => void response.end("lu"));
    // A connection that nobody answers would stay open for ever.
    const client = connect(http.port, "127.0.0.1").setTimeout(30_000, () => client.destroy());
    client.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
    const text = Buffer.concat(await client.toArray()).toString();
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n.*lu$/s);
  });

  it.each([
    ["GET", "HTTP/1.1 200 OK", ["GET"]],
    ["HEAD", "HTTP/1.1 200 OK", ["HEAD"]],
    ["POST", "HTTP/1.1 400 Bad Request", []],
  ])(
    "goes on with HTTP/1.1 for a %s that offers another protocol: %s",
    async (method, status, seen) => {
      const { http } = await start();
      const asked: (string | undefined)[] = [];
      await http.answerWith((incoming, response) => {
        asked.push(incoming.method);
        response.end("lu");
      });
      const client = connect(http.port, "127.0.0.1");
      client.write(
        `${method} / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\ncontent-length: 0\r\n\r\n`,
      );
      const text = Buffer.concat(await client.toArray()).toString();
      expect(text.split("\r\n")[0]).toBe(status);
      expect(text.endsWith("lu")).toBe(method === "GET");
      expect(asked).toEqual(seen);
    },
  );

  // Requests cut off in a body that is read, in a body already answered without it, or in the
  // headers.
  it.each([
    ["a body that is waited for", "POST /lu HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{"],
    [
      "a body in pieces",
      "POST /lu HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n",
    ],
    ["a body that nobody reads", "POST /non HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{"],
    ["headers", "POST /lu HTTP/1.1\r\nhost: x\r\n"],
    ["nothing", ""],
  ])("ends a client that is slow with %s soon after its time", async (_, sent) => {
    const requestMs = 300;
    const { http } = await start({ headersMs: 200, requestMs });
    await http.answerWith(async (incoming, response) => {
      if (incoming.url === "/lu") await incoming.toArray().catch(() => undefined);
      response.end("lu");
    });
    const client = connect(http.port, "127.0.0.1").on("error", () => undefined);
    client.resume().write(sent);
    const begun = performance.now();
    await once(client, "close");
    // Node by itself would look after 30 seconds.
    expect(performance.now() - begun).toBeLessThan(25_000);
  });

  it("ends a client that has stopped reading", async () => {
    const { http } = await start({ stalledMs: 200 });
    // More than the network holds for a reader.
    await http.answerWith((_, response) => void response.end(Buffer.alloc(20_000_000)));
    const client = connect(http.port, "127.0.0.1").pause();
    client.on("error", () => undefined).write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    const [socket]: Socket[] = await once(http.server, "connection");
    if (socket && !socket.destroyed) await once(socket, "close");
    client.destroy();
  });

  describe("to a client that sends without waiting for answers", () => {
    const sent = (count: number) => "GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(count);

    it("answers sixteen, one after the other", async () => {
      const { http } = await start();
      await http.answerWith((_, response) => void response.end("lu"));
      const client = connect(http.port, "127.0.0.1");
      client.write(sent(16));
      let text = "";
      for await (const part of client) {
        text += part;
        if (text.split("200 OK").length > 16) break;
      }
      expect(text.split("200 OK").length - 1).toBe(16);
    });

    it("gives no more than sixteen to work on, and cuts the connection", async () => {
      const { http } = await start();
      let given = 0;
      await http.answerWith(() => {
        given += 1;
      });
      const client = connect(http.port, "127.0.0.1").on("error", () => undefined);
      const closed = new Promise((resolve) => client.once("close", resolve));
      client.resume().write(sent(5_000));
      await closed;
      expect(given).toBe(16);
    });

    it("lets go of every answer once the client has left", async () => {
      const { http } = await start();
      let left = 0;
      const arrived = new Promise<void>((resolve) => {
        let given = 0;
        http.answerWith((_, response) => {
          response.once("close", () => {
            left += 1;
          });
          given += 1;
          if (given === 10) resolve();
        });
      });
      const client = connect(http.port, "127.0.0.1").on("error", () => undefined);
      client.write(sent(10));
      await arrived;
      client.destroy();
      await expect.poll(() => left).toBe(10);
    });
  });
});
