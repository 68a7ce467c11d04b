import type { ErrorCode } from "../_shared/domain/errors/errors.ts";
import {
  type PublicRatingAnswer,
  publicRatingRequest,
} from "../_shared/domain/schemas/public-rating.ts";
import { signedInUser } from "../_shared/http/bearer.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { RatingSourceError } from "../_shared/http/public-rating-source.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

type Refusal = "session_ended" | "second_factor_required" | "forbidden" | "closed";

const REFUSALS: Readonly<Record<Refusal, ErrorCode>> = {
  session_ended: "unauthenticated",
  second_factor_required: "second_factor_required",
  forbidden: "not_found",
  closed: "reading_closed",
};

type Question =
  | { outcome: "ask"; place_id: string }
  | { outcome: Refusal | "no_place" | "typed" | "paused" | "too_many"; place_id: null };

const answer = (value: PublicRatingAnswer) => json(value);

/**
 * `POST public-rating { store_id }` with a member's session: rating and number of reviews on the store's page at Google, at
 * this moment. They are handed on and not kept, as Google's terms ask.
 */
export const handler = serve(
  { name: "public-rating", method: "POST", failure: "internal_error" },
  async (request, { sql, verifyAccessToken, ratingSource = null }, fail) => {
    const user = await signedInUser(request, { verifyAccessToken });
    if (!user) return refuse("unauthenticated");
    const parsed = await parseBody(request, publicRatingRequest);
    if (!parsed.ok) return parsed.response;
    if (ratingSource === null) return answer({ state: "off" });
    const [question] = await sql<Question[]>`
      select outcome, place_id from public.public_rating_question(
        ${user.userId}, ${user.sessionId}, ${user.aal}, ${parsed.body.store_id})`;
    if (!question) throw new Error("public_rating_question answered nothing.");
    const { outcome } = question;
    if (outcome !== "ask") {
      return isRefusal(outcome) ? refuse(REFUSALS[outcome]) : answer({ state: outcome });
    }
    try {
      const figures = await ratingSource(question.place_id);
      await sql`select public.rate_rating_source(false)`;
      return answer({ state: "shown", ...figures });
    } catch (error) {
      if (!(error instanceof RatingSourceError)) throw error;
      fail("public_rating_failed", error, { isOurs: !error.isOfPlace });
      if (error.isOfPlace) return answer({ state: "unknown_place" });
      await sql`select public.rate_rating_source(true)`;
      return answer({ state: "paused" });
    }
  },
);

function isRefusal(outcome: Exclude<Question["outcome"], "ask">): outcome is Refusal {
  return outcome in REFUSALS;
}
