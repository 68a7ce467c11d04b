import * as z from "zod/mini";
import { type ErrorDetails, errorBody } from "#domain/errors/errors.ts";
import { type ClosedCampaign, closedCampaign } from "#domain/schemas/closed-campaign.ts";
import {
  type feedbackRequest,
  type publicReviewClickRequest,
  type ReviewResponse,
  type reviewRequest,
  reviewResponse,
  type SpinResult,
  type scanRequest,
  type spinRequest,
  spinResult,
} from "#domain/schemas/journey.ts";
import {
  type mailPrizeRequest,
  mailPrizeResponse,
  type PrizeStatus,
  prizeAnswer,
  prizeStatus as prizeStatusAnswer,
  type prizeStatusRequest,
} from "#domain/schemas/prize.ts";
import {
  type PublicOrganization,
  publicOrganization,
} from "#domain/schemas/public-organization.ts";
import { type PublicCampaign, publicCampaign } from "#domain/schemas/public-page.ts";
import type { Language } from "#domain/text/languages.ts";
import { projectUrl } from "../ui/project-address.ts";
import { refusalWords } from "./refusals/refusal-words.copy.ts";

/** Why a call did not succeed: no answer came, or the server refused and said why. */
export type Failure =
  | { kind: "network" }
  | {
      kind: "refused";
      status: number;
      /** Empty when the answer did not come from our server (a proxy's page). */
      code: string;
      message: string;
      details: ErrorDetails;
      /** Seconds to wait before trying again. */
      retryAfter: number | null;
    };

/** Result of a call to the server. */
export type Answer<T> = { ok: true; value: T } | { ok: false; failure: Failure };

/** After this time the network counts as lost; every call may be repeated with its key. */
const TIMEOUT_MS = 10_000;

async function readFailure(response: Response): Promise<Failure> {
  const wait = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const body = errorBody.safeParse(await response.json().catch(() => null));
  return {
    kind: "refused",
    status: response.status,
    code: body.data?.error.code ?? "",
    message: refusalWords(body.data?.error),
    details: body.data?.error.details ?? {},
    retryAfter: Number.isFinite(wait) ? wait : null,
  };
}

/** Calls a server function; a lost network and a refusal are answers. */
export async function call<T>(
  path: string,
  schema: z.ZodMiniType<T>,
  body?: unknown,
  keepalive = false,
): Promise<Answer<T>> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(`${projectUrl()}/functions/v1/${path}`, {
      ...(body !== undefined && {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
      keepalive,
      signal: abort.signal,
    });
    if (!response.ok) return { ok: false, failure: await readFailure(response) };
    const text = await response.text();
    return { ok: true, value: schema.parse(text === "" ? undefined : JSON.parse(text)) };
  } catch {
    // Offline, timed out, cut in the middle or garbled on the way: a lost network to the person.
  } finally {
    clearTimeout(timer);
  }
  return { ok: false, failure: { kind: "network" } };
}

/** Reads a campaign by its slug (static deployments; our server puts it into the page). */
export function fetchCampaign(slug: string, language: Language): Promise<Answer<PublicCampaign>> {
  return call(`campaign?slug=${encodeURIComponent(slug)}&lang=${language}`, publicCampaign);
}

/** Reads what is public about a campaign that cannot be played now. */
export function fetchClosedCampaign(
  slug: string,
  language: Language,
): Promise<Answer<ClosedCampaign>> {
  return call(`campaign?slug=${encodeURIComponent(slug)}&lang=${language}&closed`, closedCampaign);
}

/** Reads the open campaigns of an organisation by its slug (static deployments). */
export function fetchOrganization(
  slug: string,
  language: Language,
): Promise<Answer<PublicOrganization>> {
  return call(
    `campaign?organization=${encodeURIComponent(slug)}&lang=${language}`,
    publicOrganization,
  );
}

/** Counts a scan. */
export function recordScan(body: z.input<typeof scanRequest>): Promise<Answer<unknown>> {
  return call("scan", z.unknown(), body, true);
}

/** Stores a rating; its `visit_id` makes a repeat harmless. */
export function recordReview(body: z.input<typeof reviewRequest>): Promise<Answer<ReviewResponse>> {
  return call("review_record", reviewResponse, body, true);
}

/** Adds private feedback to a review. */
export function recordFeedback(body: z.input<typeof feedbackRequest>): Promise<Answer<unknown>> {
  return call("review_record", z.unknown(), body, true);
}

/** Records a click on the public reviews page. */
export function recordReviewClick(
  body: z.input<typeof publicReviewClickRequest>,
): Promise<Answer<unknown>> {
  return call("public_review_click", z.unknown(), body, true);
}

/** Draws; the review or the `play_id` makes a repeat harmless. */
export function spinWheel(body: z.input<typeof spinRequest>): Promise<Answer<SpinResult>> {
  return call("spin_wheel", spinResult, body);
}

/** Asks whether a prize that this phone keeps still waits. */
export function prizeStatus(
  body: z.input<typeof prizeStatusRequest>,
): Promise<Answer<PrizeStatus>> {
  return call("prize_status", prizeStatusAnswer, body);
}

/** The prize of a turn, for a phone that was led to it by a mail. */
export function openPrize(
  body: z.input<typeof prizeStatusRequest>,
): Promise<Answer<z.infer<typeof prizeAnswer>>> {
  return call("prize_status", prizeAnswer, body);
}

/** Has a prize sent to its winner; sending twice is sending once. */
export function mailPrize(
  body: z.input<typeof mailPrizeRequest>,
): Promise<Answer<z.infer<typeof mailPrizeResponse>>> {
  return call("mail_prize", mailPrizeResponse, body);
}
