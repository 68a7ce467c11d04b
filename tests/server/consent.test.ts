import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCampaign, createOrganization } from "../harness/fixtures.ts";
import { review } from "../harness/journey.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** The functions behind the link by which a customer withdraws their consent. */

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Somebody who agreed to marketing, with the token of their mails. */
async function somebody() {
  const { sql } = server.database;
  const { id: orgId, storeId, name } = await createOrganization(sql);
  const { id: campaignId } = await createCampaign(sql, { orgId, storeId });
  const email = `${randomUUID()}@exemple.fr`;
  await review(sql, { campaignId, email, consent: true });
  const [row] = await sql<{ token: string }[]>`
    select private.consent_token(org_id, id) as token from public.customers where email = ${email}`;
  const consents = async () => {
    const [now] =
      await sql`select consent_marketing as has from public.customers where email = ${email}`;
    return now?.has;
  };
  return { name, token: row?.token ?? "", consents };
}

const post = async (path: string, body?: object) => {
  const answer = await fetch(`${server.url}/functions/v1/${path}`, {
    method: "POST",
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
};

const DONE = { status: 200, body: { success: true } };
const refused = (status: number, code: string) => ({ status, body: { error: { code } } });

describe("the link", () => {
  it("names the merchant alone, and withdraws the consent as often as one likes", async () => {
    const { name, token, consents } = await somebody();
    expect(await post("consent", { token })).toEqual({ status: 200, body: { organizer: name } });
    expect(await consents()).toBe(true);
    const path = `unsubscribe?token=${token}&kind=offers`;
    expect(await post(path)).toEqual(DONE);
    expect(await consents()).toBe(false);
    expect(await post(path)).toEqual(DONE);
    expect(await post("consent", { token })).toEqual({ status: 200, body: { organizer: name } });
  });

  it("refuses what is none of ours, and what only looks at it", async () => {
    const { token, consents } = await somebody();
    const other = `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`;
    expect(await post("consent", { token: other })).toMatchObject(refused(404, "link_unknown"));
    for (const wrong of [token.slice(1), `${token}A`, "", "é".repeat(64)]) {
      expect(await post("consent", { token: wrong })).toMatchObject(
        refused(400, "invalid_request"),
      );
      const query = new URLSearchParams({ token: wrong, kind: "offers" });
      expect(await post(`unsubscribe?${query}`)).toMatchObject(refused(400, "invalid_request"));
    }
    expect(await post(`unsubscribe?token=${other}&kind=offers`)).toMatchObject(
      refused(404, "link_unknown"),
    );
    // A member's kinds take no customer's token.
    expect(await post(`unsubscribe?token=${token}&kind=alert`)).toMatchObject(
      refused(400, "invalid_request"),
    );
    const url = `${server.url}/functions/v1/unsubscribe?token=${token}&kind=offers`;
    for (const method of ["GET", "HEAD", "PUT"]) {
      expect((await fetch(url, { method, redirect: "manual" })).status).not.toBe(200);
    }
    expect(await consents()).toBe(true);
  });
});
