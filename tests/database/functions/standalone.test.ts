import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorBody } from "#domain/errors/errors.ts";
import { createFactor, createOrganization, type Organization } from "../../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";

/**
 * A function as a Supabase project runs it: on its own, with the platform reached over HTTP. Our own
 * platform stands in for the hosted one, whose protocol it speaks.
 */

let server: TestServer;
let ours: Organization;
let redeem: { fetch(request: Request): Promise<Response> };

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
});

afterAll(() => server.stop());

/** Answer to the till about a code that nobody won. */
async function use(token: string): Promise<string> {
  const answer = await redeem.fetch(
    new Request("https://projet.exemple.fr/functions/v1/redeem", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ code: "WIN23456789", store_id: ours.storeId }),
    }),
  );
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
