import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createUser, PASSWORD } from "../harness/fixtures.ts";
import { startTestServer } from "../harness/server.ts";
import { type Bench, startBench } from "./support/service.ts";

/** The proof that one is no robot, checked with its provider: here a small server of our own. */

let bench: Bench;
let provider: Server;
let asked: URLSearchParams[];
let reply: { status: number; body: string };

beforeAll(async () => {
  provider = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      asked.push(new URLSearchParams(body));
      response.writeHead(reply.status, { "content-type": "application/json" }).end(reply.body);
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  bench = await startBench({
    settings: {
      captcha: { provider: "turnstile", siteKey: "site", secret: "geheim", url: providerUrl() },
    },
  });
});
beforeEach(() => {
  asked = [];
  reply = { status: 200, body: '{"success":true}' };
});
afterAll(async () => {
  await bench.stop();
  await new Promise((resolve) => provider.close(resolve));
});

function providerUrl(): string {
  const address = provider.address();
  if (!isInternet(address)) throw new Error("The provider has no port.");
  return `http://127.0.0.1:${address.port}/siteverify`;
}

function isInternet(address: ReturnType<Server["address"]>): address is AddressInfo {
  return typeof address === "object" && address !== null;
}

test("a good token lets the client in; the provider hears the secret and the token", async () => {
  const { email } = await createUser(bench.database.sql);
  const { error } = await bench
    .client()
    .auth.signInWithPassword({ email, password: PASSWORD, options: { captchaToken: "bon" } });
  expect(error).toBeNull();
  expect(asked.map((body) => Object.fromEntries(body))).toEqual([
    { secret: "geheim", response: "bon" },
  ]);
});

describe("without a token", () => {
  test.each([
    ["/token?grant_type=password", { email: "a@exemple.fr", password: "x" }],
    ["/signup", { email: "a@exemple.fr", password: "trois petits chats" }],
    ["/signup", {}],
    ["/otp", { email: "a@exemple.fr" }],
    ["/recover", { email: "a@exemple.fr" }],
    ["/resend", { type: "signup", email: "a@exemple.fr" }],
  ])("%s is refused and does nothing", async (path, body) => {
    const answer = await bench.call(path, { body });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error_code: "captcha_failed",
        msg: "captcha protection: request disallowed (no captcha_token found)",
      },
    });
    expect(asked).toEqual([]);
    expect(await bench.messages("a@exemple.fr")).toEqual([]);
  });

  test("a session is refreshed all the same", async () => {
    const answer = await bench.call("/token?grant_type=refresh_token", {
      body: { refresh_token: "inconnu" },
    });
    expect(answer.body).toMatchObject({ error_code: "refresh_token_not_found" });
  });
});

test("a token that the provider refuses is refused, with its reasons", async () => {
  reply.body = '{"success":false,"error-codes":["timeout-or-duplicate"]}';
  const { error } = await bench.client().auth.signUp({
    email: "robot@exemple.fr",
    password: "trois petits chats",
    options: { captchaToken: "usé" },
  });
  expect(error).toMatchObject({
    status: 400,
    code: "captcha_failed",
    message: "captcha protection: request disallowed (timeout-or-duplicate)",
  });
  expect(
    await bench.database.sql`select from auth.users where email = 'robot@exemple.fr'`,
  ).toHaveLength(0);
});

test.each([
  ["fails", { status: 500, body: "" }],
  ["answers nonsense", { status: 200, body: '{"success":"peut-être"}' }],
])("a provider that %s lets nobody in", async (_, answer) => {
  reply = answer;
  const { email } = await createUser(bench.database.sql);
  const { data, error } = await bench
    .client()
    .auth.signInWithPassword({ email, password: PASSWORD, options: { captchaToken: "bon" } });
  expect(error?.status).toBe(500);
  expect(data.session).toBeNull();
});

test("the running platform asks the provider that its configuration names, and tells the pages", async () => {
  const server = await startTestServer({
    env: {
      CAPTCHA_PROVIDER: "turnstile",
      CAPTCHA_SITE_KEY: "site",
      CAPTCHA_SECRET: "geheim",
      CAPTCHA_URL: providerUrl(),
    },
  });
  try {
    const config = await (await fetch(`${server.url}/config.json`)).json();
    expect(config).toMatchObject({ captcha: { provider: "turnstile", site_key: "site" } });
    const user = await createUser(server.database.sql);
    const credentials = { email: user.email, password: PASSWORD };
    const without = await server.client().auth.signInWithPassword(credentials);
    expect(without.error?.code).toBe("captcha_failed");
    const withToken = await server
      .client()
      .auth.signInWithPassword({ ...credentials, options: { captchaToken: "bon" } });
    expect(withToken.error).toBeNull();
  } finally {
    await server.stop();
  }
});
