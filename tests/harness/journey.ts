import { randomUUID } from "node:crypto";
import type { ISql } from "postgres";
import { spinResult } from "#domain/schemas/journey.ts";
import type { PointsWallet } from "#domain/schemas/points.ts";

/**
 * Actions of customers and staff, by way of the same SQL functions as the server's: for tests that
 * need a history, or look at the functions themselves. Parts that a test does not name are new each
 * time, so that nobody has played before and no limit is reached by accident.
 */

/** A visit through the printed code. Answers the outcome. */
export async function scan(
  sql: ISql,
  {
    slug,
    source = "qr",
    visitor = randomUUID(),
    address = randomUUID(),
  }: { slug: string; source?: string; visitor?: string; address?: string },
): Promise<string> {
  const [row] = await sql<{ outcome: string }[]>`
    select public.record_scan(${slug}, ${source}, ${visitor}, ${address}) as outcome`;
  return row?.outcome ?? "";
}

/** Answer of `record_review`. */
export type ReviewRow = {
  outcome: string;
  review_id: string;
  next: string;
  google_review_url: string | null;
};

/** A rating, with the details of the person who gives it. */
export async function review(
  sql: ISql,
  {
    campaignId,
    visitId = randomUUID(),
    firstName = "Ana",
    lastName = "Petit",
    email = `${randomUUID()}@exemple.fr`,
    phone = null,
    consent = false,
    rating = 5,
    source = "qr",
    locale = null,
    address = randomUUID(),
  }: {
    campaignId: string;
    visitId?: string;
    firstName?: string;
    lastName?: string;
    email?: string | null;
    phone?: string | null;
    consent?: boolean;
    rating?: number;
    source?: string;
    locale?: string | null;
    address?: string;
  },
): Promise<ReviewRow> {
  const [row] = await sql<ReviewRow[]>`
    select outcome, review_id, next, google_review_url
    from public.record_review(
      p_campaign_id => ${campaignId}, p_visit_id => ${visitId}, p_first_name => ${firstName},
      p_last_name => ${lastName}, p_email => ${email}, p_phone => ${phone},
      p_consent_marketing => ${consent}, p_rating => ${rating}, p_source => ${source},
      p_address_hash => ${address}, p_locale => ${locale})`;
  if (row === undefined) throw new Error("record_review answered nothing.");
  return row;
}

/** The public reviews page is opened from a visit. Answers the outcome. */
export async function publicClick(
  sql: ISql,
  { reviewId, campaignId }: { reviewId: string; campaignId: string },
): Promise<string> {
  const [row] = await sql<{ outcome: string }[]>`
    select public.record_public_click(${reviewId}, ${campaignId}) as outcome`;
  return row?.outcome ?? "";
}

/** Answer of `spin_wheel`: `body` is the text of the spin result. */
export type SpinRow = { outcome: string; body: string | null; retry_at: Date | null };

/** A turn of the wheel: for a review, or for a contact with a key of its own. */
export async function spin(
  sql: ISql,
  {
    campaignId,
    reviewId = null,
    playId = reviewId === null ? randomUUID() : null,
    name = reviewId === null ? "Ana Petit" : null,
    email = reviewId === null ? `${randomUUID()}@exemple.fr` : null,
    phone = null,
    device = randomUUID(),
    address = randomUUID(),
    presence = null,
    locale = null,
  }: {
    campaignId: string;
    reviewId?: string | null;
    playId?: string | null;
    name?: string | null;
    email?: string | null;
    phone?: string | null;
    device?: string;
    address?: string;
    presence?: string | null;
    locale?: string | null;
  },
): Promise<SpinRow> {
  const [row] = await sql<SpinRow[]>`
    select outcome, body, retry_at
    from public.spin_wheel(
      p_campaign_id => ${campaignId}, p_review_id => ${reviewId}, p_play_id => ${playId},
      p_name => ${name}, p_email => ${email}, p_phone => ${phone}, p_device_hash => ${device},
      p_address_hash => ${address}, p_presence => ${presence}, p_locale => ${locale})`;
  if (row === undefined) throw new Error("spin_wheel answered nothing.");
  return row;
}

/** Proof of the points that a spin has won: its nonce. */
export type PointsProof = { spin_id: string; nonce: string };

/** A turn on a wheel that wins points; answers what proves it. */
export async function winPoints(
  sql: ISql,
  player: Parameters<typeof spin>[1],
): Promise<PointsProof> {
  const { body, outcome } = await spin(sql, player);
  if (body === null) throw new Error(`The wheel answered ${outcome}.`);
  const { spin_id, nonce } = spinResult.parse(JSON.parse(body));
  return { spin_id, nonce };
}

/** Answer of `spend_points`. */
export type SpendRow = { outcome: string; body: PointsWallet | null };

/** Points are spent on a reward of the catalogue, by the phone that won them. */
export async function spendPoints(
  sql: ISql,
  {
    campaignId,
    proofs,
    rewardId,
    cost,
    requestId = randomUUID(),
    address = randomUUID(),
    locale = null,
  }: {
    campaignId: string;
    proofs: readonly PointsProof[];
    rewardId: string;
    cost: number;
    requestId?: string;
    address?: string;
    locale?: string | null;
  },
): Promise<SpendRow> {
  const [row] = await sql<SpendRow[]>`
    select outcome, body
    from public.spend_points(${campaignId}, ${sql.json([...proofs])}, ${rewardId}, ${cost}, ${requestId}, ${address},
      ${locale})`;
  if (row === undefined) throw new Error("spend_points answered nothing.");
  return row;
}

/** A code is used at the till of a store. Answers the outcome. */
export async function redeem(
  sql: ISql,
  { userId, code, storeId }: { userId: string; code: string; storeId: string },
): Promise<string> {
  const [row] = await sql<{ outcome: string }[]>`
    select outcome from public.redeem_code(
      p_user_id => ${userId}, p_session_id => ${userId}, p_aal => 'aal1', p_code => ${code}, p_store_id => ${storeId})`;
  return row?.outcome ?? "";
}
