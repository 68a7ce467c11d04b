import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { spinResult } from "#domain/schemas/journey.ts";
import { FUNCTION_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from "../../server/postgres/timeouts.ts";
import { Crowd } from "../chaos/crowd.ts";
import { openShop, openStaff, type Shop, type Staff } from "../chaos/shop.ts";
import { playOf, verdict } from "../database/support/calls.ts";
import { createCampaign, createReward, drawWheel } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** Statements that wait for somebody else's lock end at their time limit: nothing is written, and whoever asked may ask again. */

let server: TestServer;
let shop: Shop;
let staff: Staff;

beforeAll(async () => {
  server = await startTestServer();
  shop = await openShop(server.database.sql);
  staff = await openStaff(shop.organization, inject("database").dataFolder);
});
afterAll(() => server.stop());

describe("a code at the till", () => {
  it("is asked for again, and used once", { timeout: 3 * FUNCTION_TIMEOUT_MS }, async () => {
    const { sql } = server.database;
    const { id: orgId, storeId } = shop.organization;
    const campaign = await createCampaign(sql, { orgId, storeId });
    await drawWheel(sql, campaign, [{ weight: 100, rewardId: await createReward(sql, campaign) }]);
    const won = await server.call("spin_wheel", playOf(campaign));
    const { redemption_code: code } = spinResult.parse(won.body);
    const use = () =>
      fetch(`${server.url}/functions/v1/redeem`, {
        method: "POST",
        headers: { "content-type": "application/json", ...staff.cashier },
        body: JSON.stringify({ code, store_id: storeId, request_id: randomUUID() }),
      });
    const stateOf = async () => {
      const [row] = await sql<{ status: string }[]>`
        select status from public.redemptions where code = ${code}`;
      return row?.status;
    };

    const refused = await sql.begin(async (other) => {
      await other`select 1 from public.redemptions where code = ${code} for update`;
      const answer = await use();
      return { answer, state: await stateOf() };
    });
    expect(verdict({ status: refused.answer.status, body: await refused.answer.json() })).toBe(
      "503 service_unavailable",
    );
    expect(refused.answer.headers.get("retry-after")).toBe("2");
    expect(refused.state).toBe("available");

    expect((await use()).status).toBe(200);
    expect(await stateOf()).toBe("used");
  });
});

describe("a crowd", () => {
  it("asks again for an edit that met its time limit", {
    timeout: 6 * STATEMENT_TIMEOUT_MS,
  }, async () => {
    const crowd = new Crowd(shop, staff);
    const edits = () => crowd.asked.filter(({ kind, answer }) => kind === "edit" && answer).length;
    const { sql } = server.database;
    const playing = await sql.begin(async (other) => {
      await other`select 1 from public.campaigns where id = ${shop.campaign.id} for share`;
      const round = crowd.play(server.url);
      await vi.waitUntil(() => crowd.late > 0, { timeout: 3 * STATEMENT_TIMEOUT_MS });
      expect(edits()).toBe(0);
      return { round };
    });
    await vi.waitUntil(() => edits() > 0, { timeout: STATEMENT_TIMEOUT_MS });
    crowd.stop();
    await playing.round;
    expect(crowd.findings).toEqual([]);
  });
});
