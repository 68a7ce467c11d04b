import * as z from "zod/mini";
import { isPlaceId } from "../domain/rules/place-id.ts";
import { errorCode } from "./error-code.ts";
import { type PublicRatingSource, RatingSourceError } from "./public-rating-source.ts";

/**
 * Place Details of Google's Places API (New): `GET /v1/places/{id}` with the key and the wanted fields in headers
 * (https://developers.google.com/maps/documentation/places/web-service/place-details).
 */

/** Address of the service. */
export const GOOGLE_PLACES = "https://places.googleapis.com";

/** Timeout of a request: a user is waiting for the page. */
const TIMEOUT_MS = 8_000;

/** The two fields that are shown. Each field asked for may cost more. */
const FIELDS = "rating,userRatingCount";

/** A place without reviews has neither field. */
const place = z.object({
  rating: z.optional(z.number().check(z.gte(1), z.lte(5))),
  userRatingCount: z.optional(z.int().check(z.gte(0))),
});

/** An error as all of Google's interfaces word it (google.rpc.Status with google.rpc.ErrorInfo). */
const failure = z.object({
  error: z.object({
    status: z.string().check(z.regex(/^[A-Z_]{1,50}$/)),
    details: z._default(
      z.array(z.object({ reason: z.optional(z.string().check(z.regex(/^[A-Z_]{1,50}$/))) })),
      [],
    ),
  }),
});

/** Asks Google, with the operator's key. Nothing of an answer is kept (decision 086). */
export function createGooglePlaces({ key, url }: { key: string; url: string }): PublicRatingSource {
  return async (placeId) => {
    if (!isPlaceId(placeId)) throw new RatingSourceError("malformed_place", { isOfPlace: true });
    let response: Response;
    let body: unknown;
    try {
      response = await fetch(`${url}/v1/places/${encodeURIComponent(placeId)}`, {
        headers: { "x-goog-api-key": key, "x-goog-fieldmask": FIELDS },
        // The key goes to the address of the configuration and nowhere else.
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      body = await response.json().catch((error: unknown) => {
        if (error instanceof SyntaxError) return null;
        throw error;
      });
    } catch (cause) {
      throw new RatingSourceError(lineCode(cause), { cause });
    }
    if (!response.ok) throw refusalOf(response.status, body);
    const answer = place.safeParse(body);
    if (!answer.success) throw new RatingSourceError("malformed_answer");
    const { rating = 0, userRatingCount: reviews = 0 } = answer.data;
    return reviews === 0 ? { rating: 0, reviews } : { rating, reviews };
  };
}

/** Why nothing came back: `fetch` hides the reason in a cause. */
function lineCode(error: unknown): string {
  if (!(error instanceof Error)) return "unreachable";
  return error.name === "TimeoutError" ? "timeout" : errorCode(error.cause ?? error);
}

function refusalOf(status: number, body: unknown): RatingSourceError {
  const told = failure.safeParse(body);
  if (!told.success) return new RatingSourceError(`HTTP_${status}`, { isOfPlace: status === 404 });
  const { error } = told.data;
  const reason = error.details.find((detail) => detail.reason !== undefined)?.reason;
  // A wrong key is an invalid argument too, but with a reason; a wrong place has none.
  const isOfPlace = status === 404 || (status === 400 && reason === undefined);
  return new RatingSourceError(reason ?? error.status, { isOfPlace });
}
