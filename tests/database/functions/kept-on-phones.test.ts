import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorBody } from "#domain/errors/errors.ts";
import { spinResult } from "#domain/schemas/journey.ts";
import { pointsWallet } from "#domain/schemas/points.ts";
import { presencePass } from "#domain/schemas/presence.ts";
import { mailPrizeResponse, prizeAnswer } from "#domain/schemas/prize.ts";
import { PASS_LIFE_MS } from "../../../web/customer/presence/presence-memory.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createPointsReward,
  createReward,
  createStore,
  drawWheel,
  type Organization,
  type RewardMetadata,
} from "../../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { type Answer, newAddress, newDevice, playOf, verdict } from "../support/calls.ts";

/**
 * Answers of the functions about a phone's kept data: prizes, points, and the proof of its
 * presence.
 */

let server: TestServer;
let ours: Organization;

beforeAll(async () => {
  server = await startTestServer();
  ours = await createOrganization(server.database.sql);
});

afterAll(() => server.stop());

async function campaignOf(
  reward: { type?: "points"; metadata?: RewardMetadata } = {},
): Promise<Campaign> {
  const { sql } = server.database;
  const campaign = await createCampaign(sql, {
    orgId: ours.id,
    storeId: ours.storeId,
    playIntervalDays: 0,
  });
  const rewardId = await createReward(sql, campaign, { name: "Tarte au citron", ...reward });
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
  return campaign;
}

/** Data of a spin that a phone keeps, with the code. */
async function win(campaign: Campaign, contact: object = {}) {
  const { contact: person, ...body } = playOf(campaign);
  const answer = await server.call("spin_wheel", { ...body, contact: { ...person, ...contact } });
  const { spin_id, nonce, redemption_code } = spinResult.parse(answer.body);
  return { kept: { campaign_id: campaign.id, spin_id, nonce }, code: redemption_code ?? "" };
}

/** Has an address reach every limit that begins with a word, where it has asked once. */
async function exhaust(limit: string): Promise<void> {
  await server.database.sql`
    insert into private.rate_limits (key, window_start, shard, hits, expires_at)
    select distinct r.key, r.window_start, s, 1000, r.expires_at
    from private.rate_limits r, generate_series(0, 15) s where r.key ^@ ${limit}
    on conflict (key, window_start, shard) do update set hits = 1000`;
}

/** Expects somebody to be told when to come again. */
function comesAgain(answer: Answer, withinS: number): void {
  expect(verdict(answer)).toBe("429 too_many_attempts");
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(withinS);
}

describe("prize_status", () => {
  it("answers whether a prize waits, with the prize as it was won, and nothing more", async () => {
    const { kept, code } = await win(await campaignOf());
    const answer = await server.call("prize_status", kept);
    expect(answer.status).toBe(200);
    expect(prizeAnswer.parse(answer.body)).toMatchObject({
      status: "available",
      used_at: null,
      prize: { spin_id: kept.spin_id, redemption_code: code },
    });
    expect(Object.keys(Object(answer.body)).sort()).toEqual([
      "expires_at",
      "place",
      "prize",
      "status",
      "used_at",
    ]);
  });

  it("says what a check led to, in the merchant's words", async () => {
    const { sql } = server.database;
    const { kept, code } = await win(await campaignOf());
    await sql`update public.redemptions set verdict = 'held' where code = ${code}`;
    const held = prizeAnswer.parse((await server.call("prize_status", kept)).body);
    expect(held.notice).toContain("Le magasin vérifie ce gain.");
    expect(held.stamp).toBeUndefined();
    // Past its end it is not over: released, it is valid for longer.
    await sql`update public.redemptions set expires_at = now() - interval '1 day' where code = ${code}`;
    expect((await server.call("prize_status", kept)).body).toMatchObject({
      stamp: "En vérification",
      notice: expect.stringContaining("Le magasin vérifie ce gain."),
    });
    await sql`
      update public.redemptions set verdict = 'cancelled', status = 'expired' where code = ${code}`;
    expect((await server.call("prize_status", kept)).body).toMatchObject({
      stamp: "Annulé",
      notice: expect.stringContaining("Le magasin a annulé ce gain"),
    });
    // As the pages of whoever has won it were.
    await sql`update public.customers c set locale = 'de' from public.redemptions d where d.code = ${code} and c.id = d.customer_id`;
    expect((await server.call("prize_status", kept)).body).toMatchObject({
      stamp: "Storniert",
      notice: expect.stringContaining("Das Geschäft hat diesen Gewinn"),
    });
  });

  it("says in the winner's language where a prize of an archived store is taken, or whom to ask", async () => {
    const { sql } = server.database;
    const theirs = await createOrganization(sql, { name: "Chez Zoé" });
    const campaign = await createCampaign(sql, { orgId: theirs.id, storeId: theirs.storeId });
    await drawWheel(sql, campaign, [{ weight: 100, rewardId: await createReward(sql, campaign) }]);
    const { kept, code } = await win(campaign);
    const told = async () => {
      const answer = prizeAnswer.parse((await server.call("prize_status", kept)).body);
      return { place: answer.place, stamp: answer.stamp, notice: answer.notice };
    };
    const archive = (id: string) =>
      sql`update public.stores set archived_at = now() where id = ${id}`;
    const gare = await createStore(sql, { orgId: theirs.id, name: "Zoé Gare" });
    const port = await createStore(sql, { orgId: theirs.id });
    await archive(theirs.storeId);
    expect(await told()).toEqual({ place: "Chez Zoé, dans tous ses magasins" });
    await sql`
      update public.customers c set locale = 'en' from public.redemptions d
      where d.org_id = ${theirs.id} and d.code = ${code} and c.id = d.customer_id`;
    expect(await told()).toEqual({ place: "any store of Chez Zoé" });
    await archive(port);
    expect(await told()).toEqual({ place: "Zoé Gare" });
    await archive(gare);
    expect(await told()).toEqual({
      place: "Chez Zoé",
      stamp: "Store closed",
      notice: "No store hands out this prize any more. A question? Please ask Chez Zoé.",
    });
    // While it is checked, and once it was used, that is what counts.
    await sql`
      update public.redemptions set verdict = 'held' where org_id = ${theirs.id} and code = ${code}`;
    expect(await told()).toEqual({
      place: "Chez Zoé",
      notice: expect.stringContaining("The store is checking this prize."),
    });
    await sql`
      update public.redemptions set verdict = null, status = 'used', used_at = now()
      where org_id = ${theirs.id} and code = ${code}`;
    expect(await told()).toEqual({ place: "Chez Zoé" });
  });

  it("is not found without what that phone alone got", async () => {
    const { kept } = await win(await campaignOf());
    for (const change of [
      { nonce: randomUUID() },
      { spin_id: randomUUID() },
      { campaign_id: randomUUID() },
    ]) {
      const answer = await server.call("prize_status", { ...kept, ...change });
      expect(verdict(answer)).toBe("404 prize_not_found");
    }
    expect(verdict(await server.call("prize_status", { ...kept, email: "a@b.fr" }))).toBe(
      "400 invalid_request",
    );
  });
});

describe("mail_prize", () => {
  it("tells enough of the address to know it, and nothing when it is asked again", async () => {
    const email = `${randomUUID()}@exemple.fr`;
    const { kept } = await win(await campaignOf(), { email });
    const first = await server.call("mail_prize", kept);
    expect(first.status).toBe(200);
    expect(mailPrizeResponse.parse(first.body)).toEqual({ sent_to: `${email[0]}•••@exemple.fr` });
    const again = await server.call("mail_prize", { ...kept, email: "autre@exemple.fr" });
    expect([again.status, again.body]).toEqual([200, { sent_to: null }]);
  });

  it("asks for an address where none was given, and takes it", async () => {
    const { kept } = await win(await campaignOf(), { email: undefined, phone: "06 12 34 56 78" });
    expect(verdict(await server.call("mail_prize", kept))).toBe("409 email_needed");
    expect(verdict(await server.call("mail_prize", { ...kept, email: "non" }))).toBe(
      "400 invalid_request",
    );
    const answer = await server.call("mail_prize", { ...kept, email: "zoe@exemple.fr" });
    expect([answer.status, answer.body]).toEqual([200, { sent_to: "z•••@exemple.fr" }]);
  });

  it("is refused for what is not theirs, or not worth anything any more", async () => {
    const { kept, code } = await win(await campaignOf());
    expect(verdict(await server.call("mail_prize", { ...kept, nonce: randomUUID() }))).toBe(
      "404 prize_not_found",
    );
    await server.database.sql`
      update public.redemptions set expires_at = now() - interval '1 minute' where code = ${code}`;
    expect(verdict(await server.call("mail_prize", kept))).toBe("409 code_expired");
  });

  it("is refused while the team checks the prize, which no till takes meanwhile", async () => {
    const { sql } = server.database;
    const { kept, code } = await win(await campaignOf());
    const other = await win(await campaignOf());
    await server.call("mail_prize", other.kept);
    const [failed] = await sql<{ id: string }[]>`
      update private.outbox set state = 'failed', settled_at = now()
      where template = 'prize' and data ->> 'code' = ${other.code} returning id`;
    await sql`update public.redemptions set verdict = 'held' where code in (${code}, ${other.code})`;
    expect(verdict(await server.call("mail_prize", kept))).toBe("409 code_held");
    expect(await sql`select from private.prize_mails where spin_id = ${kept.spin_id}`).toHaveLength(
      0,
    );
    expect([...(await sql`select private.queue_again(${failed?.id ?? ""}) as outcome`)]).toEqual([
      { outcome: "prize_over" },
    ]);
    await sql`update public.redemptions set verdict = null where code = ${code}`;
    expect(verdict(await server.call("mail_prize", kept))).toBe("200");
  });

  it("says when to come again, to the address that asked too often alone", async () => {
    const { kept } = await win(await campaignOf());
    const other = { ...kept, nonce: randomUUID() };
    const address = newAddress();
    await server.call("mail_prize", other, { address });
    await exhaust("prize mail address ");
    comesAgain(await server.call("mail_prize", kept, { address }), 3600);
    expect(verdict(await server.call("mail_prize", kept, { address: newAddress() }))).toBe("200");
  });
});

describe("points", () => {
  it("are shown to the phone that can prove them, and spent once a request", async () => {
    const campaign = await campaignOf({ type: "points", metadata: { points: 50 } });
    const tea = await createPointsReward(server.database.sql, { orgId: ours.id, cost: 20 });
    const { kept } = await win(campaign);
    const { campaign_id, ...proof } = kept;
    const asked = { campaign_id, proofs: [proof] };
    const shown = await server.call("points_wallet", asked);
    expect(shown.status).toBe(200);
    expect(pointsWallet.parse(shown.body)).toMatchObject({ balance: 50, codes: [] });
    const order = { ...asked, reward_id: tea.id, cost: 20, request_id: randomUUID() };
    for (const answer of [
      await server.call("spend_points", order),
      await server.call("spend_points", order),
    ]) {
      expect(answer.status).toBe(200);
      expect(pointsWallet.parse(answer.body)).toMatchObject({
        balance: 30,
        codes: [{ reward: "Thé", points: 20, status: "available" }],
      });
    }
  });

  it("of somebody else, too few, or of another campaign buy nothing", async () => {
    const campaign = await campaignOf({ type: "points", metadata: { points: 50 } });
    const tea = await createPointsReward(server.database.sql, { orgId: ours.id, cost: 51 });
    const { kept } = await win(campaign);
    const { campaign_id, ...proof } = kept;
    const order = {
      ...{ campaign_id, proofs: [proof], reward_id: tea.id, cost: 51 },
      request_id: randomUUID(),
    };
    for (const [change, answer] of [
      [{}, "409 points_missing"],
      [{ cost: 50 }, "409 points_cost_changed"],
      [{ reward_id: randomUUID() }, "409 points_reward_gone"],
      [{ campaign_id: randomUUID() }, "404 campaign_not_found"],
      [{ cost: 0 }, "400 invalid_request"],
      [{ cost: 1.5 }, "400 invalid_request"],
      [{ cost: 2_147_483_648 }, "400 invalid_request"],
      [{ proofs: [] }, "400 invalid_request"],
      [{ proofs: Array(201).fill(proof) }, "400 invalid_request"],
      [{ proofs: [{ ...proof, points: 99 }] }, "400 invalid_request"],
    ] as const) {
      expect(verdict(await server.call("spend_points", { ...order, ...change }))).toBe(answer);
    }
    const wallet = { campaign_id, proofs: Array(200).fill(proof) };
    expect((await server.call("points_wallet", wallet)).body).toMatchObject({ balance: 50 });
    expect(
      verdict(await server.call("points_wallet", { ...wallet, campaign_id: randomUUID() })),
    ).toBe("404 campaign_not_found");
    expect(verdict(await server.call("points_wallet", { campaign_id, proofs: [] }))).toBe(
      "400 invalid_request",
    );
  });

  it("are counted and spent no more where an address asks too often", async () => {
    const campaign = await campaignOf({ type: "points", metadata: { points: 50 } });
    const { campaign_id, ...proof } = (await win(campaign)).kept;
    const asked = { campaign_id, proofs: [proof] };
    const order = { ...asked, reward_id: randomUUID(), cost: 1, request_id: randomUUID() };
    const address = newAddress();
    await server.call("points_wallet", asked, { address });
    await exhaust("points address ");
    comesAgain(await server.call("points_wallet", asked, { address }), 600);
    comesAgain(await server.call("spend_points", order, { address }), 600);
    const elsewhere = await server.call("points_wallet", asked, { address: newAddress() });
    expect(elsewhere.status).toBe(200);
  });
});

describe("presence", () => {
  const ask = ({ id }: Campaign) =>
    server.database.as(
      { userId: ours.users.owner.id },
      (sql) => sql`
        select public.save_check_settings(${id}, 6, 8, true, null, '02:00', '05:00', 'receipt')`,
    );

  it("is a pass of half an hour for that device, which the wheel takes", async () => {
    const campaign = await campaignOf();
    await ask(campaign);
    const turn = playOf(campaign);
    const { campaign_id, device_fp } = turn;
    expect(verdict(await server.call("spin_wheel", turn))).toBe("403 presence_missing");
    const answer = await server.call("presence", { campaign_id, device_fp, proof: " 0412 " });
    expect(answer.status).toBe(200);
    const { pass, valid_until } = presencePass.parse(answer.body);
    const until = Date.parse(valid_until ?? "");
    const [clock] = await server.database.sql<{ now: Date }[]>`select now()`;
    const left = until - (clock?.now.getTime() ?? 0);
    expect(left / PASS_LIFE_MS).toBeCloseTo(1, 1);
    expect(new Date(until).toISOString()).toBe(valid_until);
    expect(pass?.split(".")[0]).toBe(String(until / 1000));
    const other = { ...turn, device_fp: newDevice(), presence: pass };
    expect(verdict(await server.call("spin_wheel", other))).toBe("403 presence_missing");
    expect(verdict(await server.call("spin_wheel", { ...turn, presence: pass }))).toBe("200");
  });

  it("needs no pass where nothing is asked", async () => {
    const { id } = await campaignOf();
    const body = { campaign_id: id, device_fp: newDevice(), proof: "0412" };
    const answer = await server.call("presence", body);
    expect([answer.status, answer.body]).toEqual([200, { pass: null, valid_until: null }]);
  });

  it("is refused to what the store does not show, and to whoever guesses", async () => {
    const campaign = await campaignOf();
    await ask(campaign);
    const body = { campaign_id: campaign.id, device_fp: newDevice(), proof: "0412" };
    const address = newAddress();
    const call = (change: object, from = address) =>
      server.call("presence", { ...body, ...change }, { address: from });
    expect(verdict(await call({ proof: "tarte" }))).toBe("422 presence_wrong");
    expect(verdict(await call({ campaign_id: randomUUID() }))).toBe("404 campaign_not_found");
    for (const [field, change] of [
      ["proof", { proof: " " }],
      ["proof", { proof: "1".repeat(41) }],
      ["device_fp", { device_fp: "A".repeat(64) }],
      ["device_fp", { device_fp: "a".repeat(65) }],
      ["campaign_id", { campaign_id: "ici" }],
    ] as const) {
      const answer = await call(change);
      expect(verdict(answer)).toBe("400 invalid_request");
      expect(errorBody.parse(answer.body).error.details?.fields).toEqual([field]);
    }
    await exhaust("presence address ");
    comesAgain(await call({ device_fp: newDevice() }), 3600);
    expect(verdict(await call({ device_fp: newDevice() }, newAddress()))).toBe("200");
    await exhaust("presence device ");
    comesAgain(await call({}, newAddress()), 3600);
  });
});
