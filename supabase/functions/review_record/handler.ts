import type { ISql } from "postgres";
import * as z from "zod/mini";
import { customerRefused } from "../_shared/domain/errors/errors.copy.ts";
import { FEEDBACK_MIN_LENGTH } from "../_shared/domain/rules/constants.ts";
import { contactCopy } from "../_shared/domain/rules/contact.copy.ts";
import type { ReviewNext } from "../_shared/domain/rules/review-flow.ts";
import { feedbackRequest, reviewRequest } from "../_shared/domain/schemas/journey.ts";
import { cleanText } from "../_shared/http/clean-text.ts";
import type { Deps } from "../_shared/http/deps.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { databaseError, FunctionFailure, serve } from "../_shared/http/serve.ts";

/** A body is one of the two: the rating of a visit, maybe with its feedback, or the feedback that follows it. */
const body = z.union([reviewRequest, feedbackRequest]).check(
  // Characters as the database will count them: no invisible ones, an emoji once.
  z.refine(({ feedback }) => !feedback || [...cleanText(feedback)].length >= FEEDBACK_MIN_LENGTH, {
    error: contactCopy.feedbackTooShort,
    path: ["feedback"],
  }),
);

/**
 * `POST review_record`: records the rating when the star is touched (201, or 200 when the same
 * `visit_id` comes again), and adds the private feedback once, with it or later (specification, section 7.2).
 */
export const handler = serve(
  { name: "review_record", method: "POST", failure: "review_failed" },
  async (request, deps) => {
    const parsed = await parseBody(request, body);
    if (!parsed.ok) return parsed.response;
    if ("review_id" in parsed.body) {
      return addFeedback(parsed.body, deps.sql).catch((cause) => {
        throw new FunctionFailure("feedback_failed", cause);
      });
    }
    return recordReview(parsed.body, request, deps).catch((cause) => {
      const isCustomer = databaseError.safeParse(cause).data?.table_name === "customers";
      throw isCustomer ? new FunctionFailure("customer_failed", cause, customerRefused) : cause;
    });
  },
);

type ReviewRow = {
  outcome: "created" | "repeated" | "campaign_not_found" | "too_many_attempts";
  review_id: string;
  next: ReviewNext;
  google_review_url: string | null;
  retry_after: number | null;
};

type Review = z.infer<typeof reviewRequest>;

async function recordReview(review: Review, request: Request, deps: Deps): Promise<Response> {
  const address = deps.keyedHash("address", deps.clientAddress(request));
  if (!review.feedback) return answerOf(await store(review, address, deps.sql));
  const { feedback } = review;
  // Both or neither: a retry after a failure starts from nothing.
  return deps.sql.begin(async (sql) => {
    const row = await store(review, address, sql);
    const { review_id } = row ?? {};
    const added = review_id ? await addFeedback({ review_id, feedback }, sql) : null;
    if (added && !added.ok) return added;
    // Feedback that was given already is not asked for.
    return answerOf(row?.next === "feedback" ? { ...row, next: "ready" } : row);
  });
}

async function store(
  { campaign_id, visit_id, end_user, rating, source, locale }: Review,
  address: string,
  sql: ISql,
): Promise<ReviewRow | undefined> {
  const [row] = await sql<ReviewRow[]>`
    select * from public.record_review(
      ${campaign_id}, ${visit_id ?? crypto.randomUUID()}, ${end_user.first_name}, ${end_user.last_name},
      ${end_user.email ?? null}, ${end_user.phone ?? null}, ${end_user.consent_marketing}, ${rating},
      ${source}, ${address}, ${locale ?? null})`;
  return row;
}

function answerOf(row: ReviewRow | undefined): Response {
  switch (row?.outcome) {
    case "created":
    case "repeated": {
      const { review_id, next, google_review_url } = row;
      return json({ review_id, next, google_review_url }, row.outcome === "created" ? 201 : 200);
    }
    case "too_many_attempts":
      return refuse("too_many_attempts", { retryAfter: row.retry_after ?? 60 });
    default:
      return refuse("campaign_not_found");
  }
}

type FeedbackRow = {
  outcome: "added" | "repeated" | "feedback_exists" | "review_not_found";
  google_review_url: string | null;
};

async function addFeedback(
  { review_id, feedback }: z.infer<typeof feedbackRequest>,
  sql: ISql,
): Promise<Response> {
  const [row] = await sql<FeedbackRow[]>`
    select * from public.record_feedback(${review_id}, ${feedback})`;
  switch (row?.outcome) {
    case "added":
    case "repeated":
      return json({ review_id, next: "ready", google_review_url: row.google_review_url });
    case "feedback_exists":
      return refuse("feedback_exists");
    default:
      return refuse("review_not_found");
  }
}
