import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrganization, PASSWORD } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** Too many invitations, as whoever speaks HTTP alone is told of them. */

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Most of an organisation in an hour; the hour may end once meanwhile. */
const MAX_PER_HOUR = 20;

it("beyond their limit are answered 429, with when to try again, and nothing leaves", async () => {
  const { users, id } = await createOrganization(server.database.sql, { plan: "pro" });
  const apikey = server.running.secrets.publishableKey;
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { apikey, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const signedIn = await post("/auth/v1/token?grant_type=password", {
    email: users.owner.email,
    password: PASSWORD,
  });
  const { access_token } = await signedIn.json();
  const invite = () =>
    post(
      "/rest/v1/rpc/invite_member",
      { p_email: `${randomUUID()}@exemple.fr`, p_role: "member" },
      { authorization: `Bearer ${access_token}` },
    );
  let taken = 0;
  let refusal = await invite();
  for (; refusal.ok && taken <= 2 * MAX_PER_HOUR; refusal = await invite()) taken += 1;
  expect(taken).toBeGreaterThanOrEqual(MAX_PER_HOUR);

  expect(refusal.status).toBe(429);
  const seconds = Number(refusal.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(3600);
  expect(await refusal.json()).toEqual({
    code: "TV103",
    message: "too_many_invitations",
    details: String(seconds),
    hint: null,
  });
  const [left] = await server.database.sql`
    select (select count(*)::integer from private.invitations where org_id = ${id}) as invitations,
      (select count(*)::integer from private.outbox where template = 'invitation') as mails`;
  expect(left).toEqual({ invitations: taken, mails: taken });
});
