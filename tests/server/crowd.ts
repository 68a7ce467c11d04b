import { randomInt, randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { expect } from "vitest";
import { reviewResponse, spinResult } from "#domain/schemas/journey.ts";
import { newAddress, playForReview, playOf, ratingOf } from "../database/support/calls.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { signToken } from "../harness/signed-tokens.ts";

/** Customers under whose load things break; each remembers what it was told. */

export const CUSTOMERS = 24;

const STOCKS = { gift: 200, points: 100_000 } as const;

/** Where codes are used: the store, and who stands at its till. */
type Till = { token: string; storeId: string };

/** The till of a shop, whose cashier is signed in at the installation of a data folder. */
export async function openTill(
  { storeId, users }: Organization,
  dataFolder: string,
): Promise<Till> {
  const { id } = users.cashier;
  // Fixtures give every user a session of the same identifier.
  const token = await signToken(dataFolder, { role: "authenticated", sub: id, session_id: id });
  return { token, storeId };
}

type Call = { name: string; body: object; token?: string };

/** A request that may be sent again, and what was answered the first time (null: nobody knows). */
type Asked = { call: Call; answer: string | null };

async function send(url: string, { name, body, token }: Call) {
  const response = await fetch(`${url}/functions/v1/${name}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": newAddress(),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

/** Customers who rate, play, ask again and use their codes, until they are told to stop. */
export class Crowd {
  readonly asked: Asked[] = [];
  readonly redeemed: Asked[] = [];
  #isOver = false;
  #inFlight = 0;
  #answered: (() => void)[] = [];

  constructor(
    private readonly campaign: Campaign,
    private readonly till: Till,
  ) {}

  /** Plays against a server; settles when everybody has stopped. */
  async play(url: string): Promise<void> {
    this.#isOver = false;
    await Promise.all(
      Array.from({ length: CUSTOMERS }, async (_, place) => {
        for (let turn = place; !this.#isOver; turn++) await this.#act(url, turn);
      }),
    );
  }

  /** Settles once so many more answers have come. */
  async answers(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      await new Promise<void>((resolve) => this.#answered.push(resolve));
    }
  }

  /** From now on nobody begins anything, and no answer is no surprise. Answers who waits for one. */
  stop(): number {
    this.#isOver = true;
    return this.#inFlight;
  }

  async #act(url: string, turn: number): Promise<void> {
    if (turn % 7 === 6) {
      // Somebody whose network is bad asks again.
      const known = this.asked[randomInt(this.asked.length)];
      if (known !== undefined) await this.#ask(url, known);
      return;
    }
    if (turn % 3 > 0) {
      await this.#spin(url, { name: "spin_wheel", body: playOf(this.campaign) });
      return;
    }
    const rating = {
      name: "review_record",
      body: ratingOf(this.campaign, { rating: 1 + (turn % 5) }),
    };
    const text = await this.#ask(url, this.#remember(this.asked, rating));
    if (text === null) return;
    const { review_id } = reviewResponse.parse(JSON.parse(text));
    await this.#spin(url, { name: "spin_wheel", body: playForReview(this.campaign, review_id) });
  }

  async #spin(url: string, call: Call): Promise<void> {
    const text = await this.#ask(url, this.#remember(this.asked, call));
    const code = text === null ? null : spinResult.parse(JSON.parse(text)).redemption_code;
    // Some of them, or the till would be told to slow down.
    if (code === null || randomInt(10) > 0) return;
    const { token, storeId } = this.till;
    const body = { code, store_id: storeId, request_id: randomUUID() };
    const redemption = { name: "redeem", body, token };
    await this.#ask(url, this.#remember(this.redeemed, redemption));
  }

  #remember(list: Asked[], call: Call): Asked {
    const asked = { call, answer: null };
    list.push(asked);
    return asked;
  }

  /** Sends a request; null when no answer came because everything was killed. */
  async #ask(url: string, asked: Asked): Promise<string | null> {
    this.#inFlight += 1;
    try {
      const { status, text } = await send(url, asked.call);
      if (status >= 500 && this.#isOver) return null;
      if (asked.answer === null) {
        expect([asked.call.name, status < 300, text]).toEqual([asked.call.name, true, text]);
        asked.answer = text;
      }
      expect(text).toBe(asked.answer);
      for (const resolve of this.#answered.splice(0)) resolve();
      return text;
    } catch (error) {
      if (this.#isOver && error instanceof TypeError) return null;
      throw error;
    } finally {
      this.#inFlight -= 1;
    }
  }
}

/** Everybody asks again: what was answered is answered again, the rest is made up for. */
export async function askAgain(
  url: string,
  { asked, redeemed }: Crowd,
  from: number,
): Promise<void> {
  const queue = asked.slice(from);
  const worker = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const { status, text } = await send(url, next.call);
      expect(status, text).toBeLessThan(300);
      next.answer ??= text;
      expect(text).toBe(next.answer);
    }
  };
  await Promise.all(Array.from({ length: CUSTOMERS }, worker));
  for (const redemption of redeemed) {
    if (redemption.answer !== null) continue;
    // Nobody knows whether the till was faster than the kill: it is told the same in either case.
    const { status, text } = await send(url, redemption.call);
    expect(status, text).toBe(200);
    redemption.answer = text;
  }
}

/** Expects that the database knows all that was answered, and that its books balance. */
export async function expectBooks(sql: Sql, campaign: Campaign, crowd: Crowd): Promise<void> {
  const kept = new Set(
    (
      await sql<{ result: string }[]>`
      select result::text from public.spins where campaign_id = ${campaign.id}`
    ).map(({ result }) => result),
  );
  const told = crowd.asked.filter(({ call }) => call.name === "spin_wheel");
  const lost = told.filter(({ answer }) => answer !== null && !kept.has(answer));
  expect(lost).toEqual([]);

  const reviews = crowd.asked.flatMap(({ call, answer }) =>
    call.name === "review_record" && answer !== null
      ? reviewResponse.parse(JSON.parse(answer)).review_id
      : [],
  );
  const [found] = await sql<{ count: number }[]>`
    select count(*)::integer as count from public.pre_spin_reviews where id = any (${reviews}::uuid[])`;
  expect(found?.count).toBe(reviews.length);

  const [books] = await sql<Record<string, number>[]>`
    select
      (select stock from public.rewards where campaign_id = ${campaign.id} and type = 'gift') as gifts_left,
      (select stock from public.rewards where campaign_id = ${campaign.id} and type = 'points') as points_left,
      count(*) filter (where w.type = 'gift')::integer as gifts,
      count(*) filter (where w.type = 'points')::integer as points,
      count(*) filter (where w.type = 'coupon')::integer as coupons,
      count(*) filter (where w.id is null)::integer as losses,
      count(*)::integer as spins,
      (select count(*)::integer from public.redemptions where campaign_id = ${campaign.id}) as codes,
      (select count(distinct code_key)::integer from public.redemptions
        where campaign_id = ${campaign.id}) as different_codes,
      (select count(*)::integer from public.redemptions
        where campaign_id = ${campaign.id} and status = 'used') as used,
      (select count(*)::integer from public.redemption_events where org_id = ${campaign.orgId}) as uses,
      (select count(*)::integer from public.points_ledger where org_id = ${campaign.orgId}) as credits,
      (select count(*)::integer from public.pre_spin_reviews where campaign_id = ${campaign.id}) as reviews
    from public.spins s left join public.rewards w on w.id = s.reward_id
    where s.campaign_id = ${campaign.id}`;
  if (books === undefined) throw new Error("No books.");
  expect(books.gifts_left).toBeGreaterThanOrEqual(0);
  expect(books).toMatchObject({
    gifts_left: STOCKS.gift - (books.gifts ?? 0),
    points_left: STOCKS.points - (books.points ?? 0),
    codes: (books.gifts ?? 0) + (books.coupons ?? 0),
    different_codes: books.codes,
    credits: books.points,
    uses: books.used,
  });

  const [counted] = await sql`
    select sum(spins)::integer as spins, sum(wins)::integer as wins, sum(reviews)::integer as reviews,
      sum(redemptions)::integer as used
    from public.campaign_daily_stats where campaign_id = ${campaign.id}`;
  expect(counted).toEqual({
    spins: books.spins,
    wins: (books.spins ?? 0) - (books.losses ?? 0),
    reviews: books.reviews,
    used: books.used,
  });
}

/** A shop with a wheel of every kind of prize. */
export async function openShop(
  sql: Sql,
): Promise<{ organization: Organization; campaign: Campaign }> {
  const organization = await createOrganization(sql);
  const { id: orgId, storeId } = organization;
  const campaign = await createCampaign(sql, { orgId, storeId });
  await drawWheel(sql, campaign, [
    { weight: 30, rewardId: await createReward(sql, campaign, { stock: STOCKS.gift }) },
    {
      weight: 20,
      rewardId: await createReward(sql, campaign, { type: "points", stock: STOCKS.points }),
    },
    { weight: 20, rewardId: await createReward(sql, campaign, { type: "coupon" }) },
    { weight: 30 },
  ]);
  return { organization, campaign };
}
