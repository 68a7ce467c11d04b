import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { errorBody } from "#domain/errors/errors.ts";
import { unknownOperator } from "#domain/schemas/operator.ts";
import { readVapidKeys } from "../../server/config/secrets.ts";
import { SANDBOX_PRICES } from "../../server/payments-sandbox/objects.ts";
import { ROOT } from "../../server/root.ts";
import { createCampaign, createOrganization, createUser } from "../harness/fixtures.ts";
import { PRODUCTION, startTestServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let slug: string;

beforeAll(async () => {
  server = await startTestServer({ env: { METRICS_TOKEN: "jeton-des-essais-1234" } });
  const organization = await createOrganization(server.database.sql);
  const campaign = await createCampaign(server.database.sql, {
    orgId: organization.id,
    storeId: organization.storeId,
  });
  slug = campaign.slug;
});
afterAll(() => server.stop());

const open = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { redirect: "manual", ...init });

const html = { headers: { accept: "text/html" } };

/** Folders of server functions; `run-jobs` is for hosted projects, whose scheduler calls it. */
const functions = readdirSync(new URL("supabase/functions/", ROOT)).filter(
  (name) =>
    name !== "run-jobs" && existsSync(new URL(`supabase/functions/${name}/handler.ts`, ROOT)),
);

describe("every answer", () => {
  it.each([
    ["a phone page", () => open(`/c/${slug}/review`)],
    ["a redirect", () => open(`/c/${slug}`)],
    ["a missing campaign", () => open("/c/aucune/review")],
    ["the application", () => open("/dashboard", html)],
    ["a file", () => open("/favicon.svg")],
    ["a missing file", () => open("/assets/aucun.js")],
    ["a server function", () => open(`/functions/v1/campaign?slug=${slug}`)],
    ["the data API", () => open("/rest/v1/campaigns")],
    ["sign-in", () => open("/auth/v1/settings")],
    ["the configuration", () => open("/config.json")],
    ["health", () => open("/healthz")],
  ])("%s carries the security headers and an identifier", async (what, ask) => {
    const { headers } = await ask();
    const policy = headers.get("content-security-policy") ?? "";
    // Phone pages are shown small by the application, and by nobody else.
    const isPhonePage = what === "a phone page" || what === "a missing campaign";
    expect(policy.endsWith(isPhonePage ? "ancestors 'self'" : "ancestors 'none'")).toBe(true);
    expect(policy.includes("frame-src")).toBe(what === "the application");
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self'( 'sha256-[\w+/]{43}=')*( 'wasm-unsafe-eval')?; style-src 'self'( 'sha256-[\w+/]{43}=')*; img-src 'self' data: blob:; font-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'(; frame-src 'self')?; frame-ancestors '(none|self)'$/,
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(headers.get("permissions-policy")).toContain("camera=(self)");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get("strict-transport-security")).toBeNull();
    expect(headers.get("x-powered-by")).toBeNull();
  });

  it.each([
    ["the data API", "/rest/v1/campaigns"],
    ["sign-in", "/auth/v1/settings"],
    ["a server function", "/functions/v1/campaign?slug=aucune"],
    ["a missing file", "/assets/aucun.js"],
    ["a missing object of the storage", "/storage/v1/object/public/logos/aucun.webp"],
    ["what nobody foresaw", "/v2/aucune"],
  ])("%s is kept by nobody", async (_, path) => {
    expect((await open(path)).headers.get("cache-control")).toBe("no-store");
  });

  it("may run WebAssembly in the application only", async () => {
    const application = await open("/dashboard", html);
    const phone = await open(`/c/${slug}/play`);
    expect(application.headers.get("content-security-policy")).toContain("'wasm-unsafe-eval'");
    expect(phone.headers.get("content-security-policy")).not.toContain("wasm");
  });

  it("asks for TLS where people reach us by it", async () => {
    const secure = await startTestServer({ env: PRODUCTION });
    onTestFinished(() => secure.stop());
    const response = await fetch(`${secure.url}/config.json`);
    expect(response.headers.get("strict-transport-security")).toBe(
      "max-age=63072000; includeSubDomains",
    );
    expect(await response.json()).toMatchObject({
      supabase_url: "https://avis.exemple.fr",
      local: false,
    });
    expect(secure.running.publicUrl).toBe("https://avis.exemple.fr");
  });
});

describe("a method that nothing here has", () => {
  it.each([
    ["the data API", "/rest/v1/stores?select=id&name=eq.Nord"],
    ["a function of the data API", "/rest/v1/rpc/my_workspace"],
    ["sign-in", "/auth/v1/user"],
    ["a server function", "/functions/v1/redeem"],
    ["the storage", "/storage/v1/object/public/logos/aucun.webp"],
    ["the application", "/dashboard"],
    ["a phone page", "/c/aucune/review"],
  ])("is refused by %s, and is no failure", async (_, path) => {
    const { secretKey } = server.running.secrets;
    // (Browsers' fetch sends no TRACE.)
    const statuses = ["TRACE", "PROPFIND"].map(
      (method) =>
        new Promise<number | undefined>((resolve, reject) => {
          const headers = { apikey: secretKey, authorization: `Bearer ${secretKey}` };
          httpRequest(`${server.url}${path}`, { method, headers }, (response) => {
            response.resume().on("end", () => resolve(response.statusCode));
          })
            .on("error", reject)
            .end();
        }),
    );
    for (const status of await Promise.all(statuses)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  });
});

describe("the log", () => {
  it("has a line for each request, under its template, with its identifier", async () => {
    const response = await open(`/c/${slug}/review?source=qr`);
    await response.text();
    const id = response.headers.get("x-request-id");
    const line = server.log.find((entry) => entry.id === id);
    expect(line).toMatchObject({
      event: "request",
      method: "GET",
      route: "/c/:slug/review",
      status: 200,
    });
  });

  it("holds nothing that people typed, sent or came from", async () => {
    const secrets = {
      address: "198.51.100.77",
      email: "jeanne.secrete@exemple.fr",
      code: "WIN-SECRET99",
      agent: "SecretPhone/9",
    };
    const headers = {
      "x-forwarded-for": secrets.address,
      "user-agent": secrets.agent,
      "content-type": "application/json",
      apikey: server.running.secrets.publishableKey,
    };
    await open(`/c/${slug}/play?review_id=${secrets.code}`, { headers });
    await open(`/c/${slug}/play?source=qr&contact=${secrets.email}`, { headers });
    await open(`/cadeau/${secrets.code}`, { headers: { ...headers, accept: "text/html" } });
    await open("/functions/v1/redeem", {
      method: "POST",
      headers,
      body: JSON.stringify({ code: secrets.code, store_id: randomUUID() }),
    });
    await open(`/functions/v1/${secrets.code}`, { headers });
    await open("/auth/v1/token?grant_type=password", {
      method: "POST",
      headers,
      body: JSON.stringify({ email: secrets.email, password: secrets.code }),
    });
    await open(`/rest/v1/customers?email=eq.${secrets.email}`, { headers });
    const written = JSON.stringify(server.log);
    for (const secret of Object.values(secrets)) expect(written).not.toContain(secret);
    expect(written).not.toContain("127.0.0.1");
    expect(written).toContain("/functions/v1/:name");
  });

  it.each([
    ["/functions/v1/review_record", "content-length: 99\r\n\r\n{"],
    ["/functions/v1/review_record", "transfer-encoding: chunked\r\n\r\n1\r\n{\r\n"],
    ["/functions/v1/stripe-webhook", "content-length: 99\r\n\r\n{"],
  ])("holds no failure of ours where a client of %s leaves amid its body", async (path, sent) => {
    const begun = server.log.length;
    const client = connect(server.running.port, "127.0.0.1");
    client.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\napikey: ${server.running.secrets.publishableKey}\r\n${sent}`,
    );
    // The sent bytes arrive before the connection ends.
    await once(client, "connect");
    client.end();
    await expect
      .poll(() => server.log.slice(begun))
      .toContainEqual(expect.objectContaining({ status: 499 }));
    expect(server.log.slice(begun).filter(({ level }) => level === "error")).toEqual([]);
  });
});

describe("the application", () => {
  it.each(["/dashboard", "/encaisser", "/auth/signup"])("answers %s", async (path) => {
    const response = await open(path, html);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(await response.text()).toContain('<div id="root">');
  });

  it("keeps named files for ever, compressed beforehand", async () => {
    const page = await (await open("/dashboard", html)).text();
    const script = /href="(\/assets\/libraries-[^"]+\.js)"/.exec(page)?.[1] ?? "";
    const response = await open(script, { headers: { "accept-encoding": "br" } });
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(response.headers.get("content-encoding")).toBe("br");
    expect(response.headers.get("vary")).toBe("accept-encoding");
    const again = await open(script, {
      headers: { "if-none-match": response.headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
  });

  it.each([
    "/assets/aucun.js",
    "/aucun.json",
    "/app.html",
    "/customer.html",
    "/.vite/manifest.json",
  ])("does not stand in for the file %s", async (path) => {
    const response = await open(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).not.toContain("html");
  });

  it("does not leave its folder", async () => {
    const path = "/assets/../../../package.json";
    const status = await new Promise((resolve, reject) => {
      httpRequest(server.url, { path }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
    expect(status).toBe(404);
  });

  it("tells the pages where the platform is", async () => {
    const response = await open("/config.json");
    expect(await response.json()).toEqual({
      supabase_url: server.url,
      publishable_key: server.running.secrets.publishableKey,
      local: true,
      demo_slug: null,
      google: false,
      phone: false,
      captcha: null,
      // Of the data folder: made once, and the same after every start.
      push_key: (await readVapidKeys(server.running.dataFolder)).publicKey,
      mailbox: true,
      operator: unknownOperator,
      payments: { prices: SANDBOX_PRICES, test: true },
      public_rating: false,
    });
  });

  it.each([
    ["caisse.exemple:8443", "https://caisse.exemple:8443"],
    ["[fd00::1]:8443", "https://[fd00::1]:8443"],
  ])("tells it in the words of who asks, behind a proxy too: %s", async (host, expected) => {
    const body = await new Promise<string>((resolve, reject) => {
      const headers = { host, "x-forwarded-proto": "https" };
      httpRequest(`${server.url}/config.json`, { headers }, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve(text));
      })
        .on("error", reject)
        .end();
    });
    expect(JSON.parse(body).supabase_url).toBe(expected);
  });
});

describe("a request of HTTP/1.0, which names no host", () => {
  /** Bytes that come back for these, until the connection ends. */
  const answerTo = async (request: string) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    let text = "";
    socket.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    socket.write(request);
    await once(socket, "end");
    return text;
  };

  it.each(["/healthz", "/readyz", "/config.json", "/functions/v1/status", "/pricing"])(
    "is answered at %s: balancers ask for health that way",
    async (path) => {
      const answer = await answerTo(`GET ${path} HTTP/1.0\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it("learns no address but localhost, and gets nothing that is for this machine alone", async () => {
    const configuration = await answerTo("GET /config.json HTTP/1.0\r\n\r\n");
    expect(configuration).toContain('"supabase_url":"http://localhost"');
    const mailbox = await answerTo("GET /_dev/mailbox HTTP/1.0\r\n\r\n");
    expect(mailbox).toMatch(/^HTTP\/1\.1 404 /);
  });

  it.each(["", "Host: a b\r\n"])("of HTTP/1.1 is refused all the same: %j", async (host) => {
    const answer = await answerTo(`GET /healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe("a header that names another host", () => {
  const POISON = {
    host: "voleur.exemple",
    "x-forwarded-host": "voleur.exemple",
    forwarded: "host=voleur.exemple",
    origin: "https://voleur.exemple",
    referer: "https://voleur.exemple/",
  };

  /** A request as no browser sends it. */
  const poisoned = (path: string, headers: Record<string, string>, body?: string) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const method = body === undefined ? "GET" : "POST";
      httpRequest(
        `${server.url}${path}`,
        { method, headers: { ...POISON, ...headers } },
        (response) => {
          let text = "";
          response.on("data", (chunk) => {
            text += chunk;
          });
          response.on("end", () => resolve({ status: response.statusCode, text }));
        },
      )
        .on("error", reject)
        .end(body);
    });

  it("leads no mail there", async () => {
    const { sql } = server.database;
    const { email } = await createUser(sql);
    const asked = await poisoned(
      "/auth/v1/recover?redirect_to=https%3A%2F%2Fvoleur.exemple%2F",
      { apikey: server.running.secrets.publishableKey, "content-type": "application/json" },
      JSON.stringify({ email }),
    );
    expect(asked.status).toBe(200);
    await expect
      .poll(
        () => sql<{ url: string }[]>`
        select data ->> 'url' as url from private.outbox where recipient = ${email}`,
      )
      .toHaveLength(1);
    const [mail] = await sql<{ url: string }[]>`
      select data ->> 'url' as url from private.outbox where recipient = ${email}`;
    expect(mail?.url).not.toContain("voleur");
    // Its address in the local mode, whatever name it was asked under.
    const { port } = new URL(server.url);
    expect(mail?.url.startsWith(`http://localhost:${port}/auth/v1/verify?`)).toBe(true);
  });

  it("leaves nothing of it in the next visitor's page", async () => {
    const pages = ["/", "/pricing", "/auth", "/robots.txt", "/sitemap.xml", "/config.json"];
    for (const path of [...pages, `/c/${slug}/review`, `/c/${slug}/reglement`]) {
      await poisoned(path, { accept: "text/html" });
      const next = await open(path, html);
      expect([path, next.status]).toEqual([path, 200]);
      expect(await next.text(), path).not.toContain("voleur");
    }
  });
});

describe("server functions", () => {
  const body = (size: number) => JSON.stringify({ slug: "x".repeat(size), source: "qr" });
  const post = (init: RequestInit, name = "scan") =>
    open(`/functions/v1/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      ...init,
    });

  it("refuse a body over 64 KiB, announced or not", async () => {
    const announced = await post({ body: body(70_000) });
    expect(announced.status).toBe(413);
    expect(errorBody.parse(await announced.json()).error.code).toBe("body_too_large");

    const chunked = await post({
      body: new Blob([body(70_000)]).stream(),
      // @ts-expect-error: Node asks for it, its types do not know it yet.
      duplex: "half",
    });
    expect(chunked.status).toBe(413);
  });

  it("do not wait for the end of a body that has none", async () => {
    const status = new Promise((resolve, reject) => {
      const call = httpRequest(
        `${server.url}/functions/v1/scan`,
        { method: "POST", headers: { "content-type": "application/json" } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
          call.destroy();
        },
      ).on("error", reject);
      call.write("x".repeat(70_000));
    });
    expect(await status).toBe(413);
  });

  it("take what is still on its way after the refusal, so that a proxy that writes on reads it", async () => {
    const { hostname, port } = new URL(server.url);
    const piece = "x".repeat(100_000);
    const pieces = 30;
    for (const [announced, framed] of [
      [`content-length: ${pieces * piece.length}`, piece],
      ["transfer-encoding: chunked", `${piece.length.toString(16)}\r\n${piece}\r\n`],
    ]) {
      const socket = connect(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      const write = (text: string) =>
        new Promise<void>((resolve, reject) => {
          socket.write(text, (error) => (error ? reject(error) : resolve()));
        });
      let answer = "";
      socket.on("data", (part) => {
        answer += part;
      });
      await write(
        `POST /functions/v1/scan HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n${announced}\r\n\r\n${framed}`,
      );
      while (!answer.includes("body_too_large")) await once(socket, "data");
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      for (let sent = 1; sent < pieces; sent++) await write(framed ?? "");
      const ended = once(socket, "end");
      if (framed !== piece) await write("0\r\n\r\n");
      await ended;
    }
  });

  it("end a connection whose body goes on for ever", async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => undefined);
    socket.resume();
    socket.write(
      `POST /functions/v1/scan HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 1000000000\r\n\r\n`,
    );
    const piece = "x".repeat(100_000);
    const more = () => {
      if (socket.writable) socket.write(piece, more);
    };
    more();
    await closed;
    expect(socket.bytesWritten).toBeLessThan(1_000_000_000);
  });

  it("take a body that comes in pieces", async () => {
    const chunked = await post({
      body: new Blob([JSON.stringify({ slug: "aucune", source: "qr" })]).stream(),
      // @ts-expect-error: Node asks for it, its types do not know it yet.
      duplex: "half",
      headers: { "content-type": "application/json", "user-agent": "Mozilla/5.0 Phone" },
    });
    expect(chunked.status).toBe(404);
    expect(errorBody.parse(await chunked.json()).error.code).toBe("campaign_not_found");
  });

  it.each(functions)("are all there: %s", async (name) => {
    const response = await post({ body: "{}" }, name);
    expect(await response.text()).not.toContain('"code":"not_found"');
    expect([404, 500]).not.toContain(response.status);
  });

  it("say so when there is none of that name", async () => {
    const response = await open("/functions/v1/aucune");
    expect(response.status).toBe(404);
    expect(errorBody.parse(await response.json()).error.code).toBe("not_found");
  });
});

describe("figures", () => {
  it("are answered to this machine, by route and status", async () => {
    await open(`/c/${slug}/review`);
    await open("/c/aucune/review");
    const response = await open("/metrics");
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toMatch(
      /http_requests_total\{route="\/c\/:slug\/review",method="GET",status="404"\} \d/,
    );
    expect(text).toMatch(
      /http_request_duration_seconds_bucket\{le="0.005",route="\/c\/:slug\/review"\} \d/,
    );
    expect(text).toMatch(
      /database_connections\{application="tournavis functions",state="\w+"\} \d/,
    );
    expect(text).toMatch(
      /^tournavis_build_info\{version="\d+\.\d+\.\d+",node="v\d+\.[\d.]+"\} 1$/m,
    );
    expect(text).not.toContain(slug);
  });

  it("are refused through a proxy, but with the token", async () => {
    const forwarded = { "x-forwarded-for": "198.51.100.1" };
    expect((await open("/metrics", { headers: forwarded })).status).toBe(404);
    const wrong = { ...forwarded, authorization: "Bearer jeton-des-essais-9999" };
    expect((await open("/metrics", { headers: wrong })).status).toBe(404);
    const right = { ...forwarded, authorization: "Bearer jeton-des-essais-1234" };
    expect((await open("/metrics", { headers: right })).status).toBe(200);
  });

  it("tell that the server lives and is ready", async () => {
    expect(await (await open("/healthz")).text()).toBe("ok\n");
    expect(await (await open("/readyz")).text()).toBe("ready\n");
  });
});

// Last, since every connection of the server ends.
it("a request that finds no database is answered 503, and left to whoever watches the database to log", async () => {
  const { sql, name } = server.database;
  const { secretKey } = server.running.secrets;
  const rows = () => open("/rest/v1/campaigns?select=id", { headers: { apikey: secretKey } });
  expect((await rows()).status).toBe(200);
  const begun = server.log.length;
  await sql`alter database ${sql(name)} connection limit 0`;
  onTestFinished(async () => {
    await sql`alter database ${sql(name)} connection limit -1`;
  });
  await sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = ${name} and application_name like 'tournavis%'`;
  const refused = await rows();
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: "PGRST001" }]);
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(server.log.slice(begun).filter(({ event }) => event === "data_refused")).toEqual([]);
});
