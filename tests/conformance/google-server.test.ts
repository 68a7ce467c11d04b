import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { type OpenIdProvider, startOpenIdProvider } from "./support/openid-provider.ts";

/** Google as an operator switches it on: by the environment, at the product's own address. */

const PUBLIC_URL = "http://localhost:3999";
const OURS = {
  clientId: "tournavis",
  clientSecret: "un-secret-entre-nous-et-le-fournisseur",
  redirectUri: `${PUBLIC_URL}/auth/v1/callback`,
};

let provider: OpenIdProvider;
let server: TestServer;

beforeAll(async () => {
  provider = await startOpenIdProvider([OURS]);
  server = await startTestServer({
    env: {
      PUBLIC_URL,
      GOOGLE_CLIENT_ID: OURS.clientId,
      GOOGLE_CLIENT_SECRET: OURS.clientSecret,
      GOOGLE_ISSUER: provider.issuer,
    },
  });
});

afterAll(async () => {
  await server.stop();
  await provider.stop();
});

/** Opens an address of the product as a browser does, where the server listens in fact. */
async function open(address: string): Promise<URL> {
  const { pathname, search } = new URL(address);
  const answer = await fetch(`${server.url}${pathname}${search}`, { redirect: "manual" });
  expect(answer.status).toBe(302);
  expect(answer.headers.get("set-cookie")).toBeNull();
  return new URL(answer.headers.get("location") ?? "");
}

it("tells the pages that Google is a way in", async () => {
  const config: unknown = await (await fetch(`${server.url}/config.json`)).json();
  expect(config).toMatchObject({ google: true });
});

it("signs in through Google, with no key but what a browser has", async () => {
  const email = `${randomUUID()}@exemple.fr`;
  const target = `${PUBLIC_URL}/dashboard`;
  const address = `${PUBLIC_URL}/auth/v1/authorize?provider=google&redirect_to=${target}`;
  const atProvider = await open(address);
  expect(atProvider.origin).toBe(provider.issuer);
  const back = await provider.visit(atProvider.href, { subject: randomUUID(), email });
  expect(back.href.startsWith(OURS.redirectUri)).toBe(true);
  const end = await open(back.href);
  expect(end.origin + end.pathname).toBe(target);
  const { data } = await server
    .client()
    .auth.getUser(new URLSearchParams(end.hash.slice(1)).get("access_token") ?? "");
  expect(data.user).toMatchObject({ email, app_metadata: { provider: "google" } });
  const told = JSON.stringify(server.log);
  for (const secret of [email, back.searchParams.get("code"), back.searchParams.get("state")]) {
    expect(told).not.toContain(secret);
  }
});
