import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorBody } from "#domain/errors/errors.ts";
import { createFactor, createOrganization, type Organization } from "../../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";

/**
 * A function as a Supabase project runs it: on its own, with the platform reached over HTTP. Our own
 * platform stands in for the hosted one, whose protocol it speaks.
 */

type Served = { fetch(request: Request): Promise<Response> };

let server: TestServer;
let ours: Organization;
let redeem: Served;
let exportCsv: Served;

beforeAll(async () => {
  server = await startTestServer();
  ours = await createOrganization(server.database.sql);
  Object.assign(process.env, {
    SUPABASE_URL: server.url,
    SUPABASE_ANON_KEY: server.running.secrets.publishableKey,
    SUPABASE_DB_URL: server.database.url,
    HASH_KEY: "a key of the tests, which is long enough",
  });
  redeem = (await import("../../../supabase/functions/redeem/index.ts")).default;
  exportCsv = (await import("../../../supabase/functions/exports-csv/index.ts")).default;
});

afterAll(() => server.stop());

function post(token: string, body: object): Request {
  return new Request("https://projet.exemple.fr/functions/v1/", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** Answer to the till about a code that nobody won. */
async function use(token: string): Promise<string> {
  const answer = await redeem.fetch(post(token, { code: "WIN23456789", store_id: ours.storeId }));
  return `${answer.status} ${errorBody.parse(await answer.json()).error.code}`;
}

describe("the till of a hosted project", () => {
  it("serves a member whose session goes on, and nobody after it ended", async () => {
    const { client, token } = await server.signIn(ours.users.cashier);
    expect(await use(token)).toBe("404 code_not_found");
    await client.auth.signOut();
    expect(await use(token)).toBe("401 unauthenticated");
  });

  it("serves nobody who has not used their second factor", async () => {
    const { token } = await server.signIn(ours.users.member);
    expect(await use(token)).toBe("404 code_not_found");
    await createFactor(server.database.sql, ours.users.member);
    expect(await use(token)).toBe("403 second_factor_required");
  });

  it("serves nobody with a token that is none", async () => {
    for (const token of ["rien", "a.b.c"]) expect(await use(token)).toBe("401 unauthenticated");
  });
});

describe("exports of a hosted project", () => {
  it("go to their end, as many at once as may run, beside each other in one instance", async () => {
    const others = await createOrganization(server.database.sql);
    const files = [ours, others].map(async ({ id, users }) => {
      const { token } = await server.signIn(users.owner);
      const answer = await exportCsv.fetch(post(token, { type: "customers", org_id: id }));
      return [answer.status, (await answer.text()).split(";").length > 1];
    });
    expect(await Promise.all(files)).toEqual([
      [200, true],
      [200, true],
    ]);
  });
});
