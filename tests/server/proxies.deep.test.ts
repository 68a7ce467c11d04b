import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";
import { connect } from "node:tls";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { beginWindows } from "../harness/database.ts";
import { layLine } from "../harness/line.ts";
import { caddyFiles, nginxFiles } from "./judge.ts";
import { openAdmin, startProgram, usedFolders } from "./program.ts";

/** The proxies of `deploy/` stand in front of the server, started with the files that an operator copies. */

const TOKEN = "jeton-de-surveillance";
const HOST = "avis.example.fr";

const usedFolder = usedFolders();

/** A server for a proxy. */
async function serve(dataFolder: string) {
  const env = { TOURNAVIS_DATA: dataFolder, TRUST_PROXY: "127.0.0.1,::1", METRICS_TOKEN: TOKEN };
  const program = startProgram({ env, argv: ["--no-demo"] });
  const { port } = new URL(await program.url);
  return { program, port };
}

type Answer = { status: number; headers: NodeJS.Dict<string | string[]>; text: string };

type Asked = { method?: string; headers?: Record<string, string>; body?: string };

function ask(socketPath: string, path: string, { body, ...asked }: Asked = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { socketPath, path, servername: HOST, rejectUnauthorized: false, agent: false };
    const headers = { host: HOST, ...asked.headers };
    const sent = request({ ...options, ...asked, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.once("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
      );
      answer.once("error", reject);
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

/**
 * Status of the answer to a body that is announced, and of which nothing is sent: a client that writes while it is
 * refused may find the connection closed before it has read why.
 */
function announce(socketPath: string, path: string, bytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { socketPath, path, servername: HOST, rejectUnauthorized: false, agent: false };
    const headers = { host: HOST, "content-length": bytes };
    const announced = request({ ...options, method: "POST", headers }, (answer) => {
      resolve(answer.statusCode ?? 0);
      announced.destroy();
    });
    announced.on("error", reject);
    announced.flushHeaders();
  });
}

/** Starts a proxy; answers when it takes connections. */
async function front(command: string, argv: string[], socket: string): Promise<void> {
  const child = spawn(command, argv, { stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  ended.then(() => {
    complaint = `it ended: ${complaint}`;
  });
  const answers = async () => {
    if (complaint.startsWith("it ended")) return complaint;
    return (await ask(socket, "/healthz").catch(() => null))?.text;
  };
  await expect.poll(answers, { timeout: 60_000 }).toBeTruthy();
  expect(await answers()).toBe("ok\n");
}

const PROXIES = {
  nginx: async (skip: (reason: string) => void, server: string) => {
    const files = await nginxFiles(skip, server);
    const argv = ["-p", files.folder, "-c", files.configuration, "-g", "daemon off;"];
    await front("nginx", argv, files.socket);
    return files;
  },
  Caddy: async (skip: (reason: string) => void, server: string) => {
    const files = await caddyFiles(skip, server);
    const argv = ["run", "--adapter", "caddyfile", "--config", files.configuration];
    await front("caddy", argv, files.socket);
    return files;
  },
} as const;

it.for(["nginx", "Caddy"] as const)(
  "%s hands on what the server serves",
  async (name, { skip }) => {
    const dataFolder = await usedFolder();
    const { port } = await serve(dataFolder);
    await beginWindows(await openAdmin(dataFolder));
    const { socket, folder } = await PROXIES[name](skip, `127.0.0.1:${port}`);

    const home = await ask(socket, "/", { headers: { "accept-encoding": "br" } });
    expect(home).toMatchObject({ status: 200, headers: { "content-encoding": "br" } });
    expect(home.headers["content-security-policy"]).toContain("default-src 'none'");

    // Figures are for this machine, and for whoever has the token; the state of the database for this machine alone.
    const authorization = `Bearer ${TOKEN}`;
    const statuses: Record<string, number> = {};
    for (const [path, headers] of [
      ["/metrics", {}],
      ["/metrics ", { authorization: "Bearer un-autre-jeton-que-celui" }],
      ["/metrics  ", { authorization }],
      ["/readyz", { authorization }],
    ] as const) {
      statuses[path] = (await ask(socket, path.trim(), { headers })).status;
    }
    expect(statuses).toEqual({
      "/metrics": 404,
      "/metrics ": 404,
      "/metrics  ": 200,
      "/readyz": 404,
    });

    // A client that names another address each time is one all the same: 60 mails in 15 minutes.
    const { publishable_key: apikey } = JSON.parse((await ask(socket, "/config.json")).text);
    const recover = (count: number) =>
      ask(socket, "/auth/v1/recover", {
        method: "POST",
        headers: {
          apikey,
          "content-type": "application/json",
          "x-forwarded-for": `192.0.2.${count}`,
          forwarded: `for=192.0.2.${count}`,
        },
        body: JSON.stringify({ email: `personne-${count}@exemple.fr` }),
      });
    for (let count = 1; count <= 60; count++) expect((await recover(count)).status).toBe(200);
    expect((await recover(61)).status).toBe(429);

    expect(await announce(socket, "/functions/v1/contact", 3_300_000)).toBe(413);

    const channel = new WebSocket(
      `wss://${HOST}/realtime/v1/websocket?apikey=${apikey}&vsn=1.0.0`,
      {
        createConnection: () =>
          connect({ path: socket, servername: HOST, rejectUnauthorized: false }),
      },
    );
    onTestFinished(() => channel.terminate());
    await once(channel, "open");
    channel.send(JSON.stringify({ topic: "phoenix", event: "heartbeat", payload: {}, ref: "1" }));
    const [heard] = await once(channel, "message");
    expect(JSON.parse(String(heard))).toMatchObject({ event: "phx_reply", ref: "1" });

    // Addresses of people stand in no log of the proxy's.
    expect(await readFile(join(folder, "access.log"), "utf8").catch(() => "")).toBe("");
  },
);

it.for(["nginx", "Caddy"] as const)(
  "%s answers a page that comes back while there is no server",
  async (name, { skip }) => {
    const dataFolder = await usedFolder();
    const { program, port } = await serve(dataFolder);
    const { socket } = await PROXIES[name](skip, `127.0.0.1:${port}`);
    program.signal("SIGTERM");
    await program.ended;
    const away = await ask(socket, "/c/demo/review");
    expect(away.status).toBe(502);
    expect(away.headers["content-type"]).toMatch(/^text\/html/);
    expect(away.text).toContain('http-equiv="refresh"');
  },
);

it("Caddy keeps a request until the server that restarts takes it", async ({ skip }) => {
  // A line that is closed takes no connection, as a server that restarts, and opens at once: how long a start takes says more
  // of the machine, and Caddy waits for ten seconds.
  const { port } = await serve(await usedFolder());
  const line = await layLine(`http://127.0.0.1:${port}`);
  onTestFinished(() => line.end());
  const { socket } = await PROXIES.Caddy(skip, new URL(line.url).host);
  await line.close();
  const asked = ask(socket, "/healthz");
  // An answer of Caddy's own: the request before it is under way.
  expect((await ask(socket, "/readyz")).status).toBe(404);
  await line.open();
  expect(await asked).toMatchObject({ status: 200 });
});
