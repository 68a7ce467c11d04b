import * as z from "zod/mini";
import { CODE_MAX_LENGTH, MAX_RATING, MIN_RATING, SOURCE_QR } from "../rules/constants.ts";
import { contactCopy } from "../rules/contact.copy.ts";
import { email, feedback, firstName, lastName, phone, playerName } from "../rules/contact.ts";
import type { ReviewNext } from "../rules/review-flow.ts";
import { VISIT_SOURCE } from "../rules/visit-source.ts";
import { languageSchema } from "../text/languages.ts";
import { rewardType } from "./reward-type.ts";

/**
 * Requests and answers of the server functions of the customer's journey (specification, section
 * 7.2; design, section 4). Requests are strict: an unknown field is refused.
 */

const uuid = z.guid();

/** Where a visit came from. */
export const visitSource = z.string().check(z.regex(VISIT_SOURCE));

function hasContact(value: { email?: unknown; phone?: unknown }): boolean {
  return value.email !== undefined || value.phone !== undefined;
}

/** Body of `review_record` when a star is clicked. */
export const reviewRequest = z.strictObject({
  campaign_id: uuid,
  visit_id: z.optional(uuid),
  end_user: z
    .strictObject({
      first_name: firstName,
      last_name: lastName,
      email: z.optional(email),
      phone: z.optional(phone),
      consent_marketing: z._default(z.boolean(), false),
    })
    .check(z.refine(hasContact, contactCopy.contactRequired)),
  rating: z.int().check(z.minimum(MIN_RATING), z.maximum(MAX_RATING)),
  /** Private feedback, where it comes with the rating. */
  feedback: z.optional(z.nullable(feedback)),
  source: z._default(visitSource, SOURCE_QR),
  /** Language of the page; without one, a known customer keeps theirs. */
  locale: z.optional(languageSchema),
});

/** Body of `review_record` when private feedback is sent after the rating. */
export const feedbackRequest = z.strictObject({ review_id: uuid, feedback });

/** Body of `scan`. */
export const scanRequest = z.strictObject({
  slug: z.string().check(z.minLength(1), z.maxLength(200)),
  source: z._default(visitSource, SOURCE_QR),
});

/** Body of `public_review_click`. */
export const publicReviewClickRequest = z.strictObject({ review_id: uuid, campaign_id: uuid });

/** Contact of a player who left no review. */
const playerContact = z
  .strictObject({ name: playerName, email: z.optional(email), phone: z.optional(phone) })
  .check(z.refine(hasContact, contactCopy.contactRequired));

/** Body of `spin_wheel`: exactly one of `review_id`, `contact` (with `play_id`) and `test`. */
export const spinRequest = z
  .strictObject({
    campaign_id: uuid,
    play_id: z.optional(uuid),
    review_id: z.optional(uuid),
    contact: z.optional(playerContact),
    test: z.optional(z.literal(true)),
    /** Pass of `presence`, in a campaign that asks for one. */
    presence: z.optional(z.string().check(z.maxLength(100))),
    /** As in `reviewRequest`. */
    locale: z.optional(languageSchema),
    device_fp: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  })
  .check(
    z.refine(
      (body) =>
        [body.review_id, body.contact, body.test].filter((way) => way !== undefined).length === 1,
    ),
    z.refine((body) => body.contact === undefined || body.play_id !== undefined),
  );

/** Body of `redeem`. A till that got no answer asks again with the same `request_id`, and gets it. */
export const redeemRequest = z.strictObject({
  code: z.string().check(z.trim(), z.minLength(1), z.maxLength(CODE_MAX_LENGTH)),
  store_id: uuid,
  request_id: z.optional(uuid),
});

/** Answer of `review_record`. */
export const reviewResponse = z.object({
  review_id: uuid,
  next: z.enum(["google", "feedback", "ready"] satisfies ReviewNext[]),
  google_review_url: z.nullable(z.string()),
});
export type ReviewResponse = z.infer<typeof reviewResponse>;

/**
 * Answer of `spin_wheel` (specification, section 3, « Spin result »). The database answers old ones again, and phones keep them for
 * months: a field that comes later is optional.
 */
export const spinResult = z.object({
  spin_id: uuid,
  segment_id: uuid,
  segment_label: z.string(),
  segment_color: z.string(),
  reward: z.nullable(z.object({ id: uuid, name: z.string(), type: rewardType })),
  redemption_code: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
  nonce: z.string(),
});
export type SpinResult = z.infer<typeof spinResult>;

/** Answer of `redeem`. */
export const redeemResponse = z.object({
  code: z.string(),
  reward: z.object({ id: uuid, name: z.string(), type: rewardType }),
  customer: z.object({ name: z.nullable(z.string()) }),
  used_at: z.string(),
  /** As in `codeLookup`. */
  undo_id: z.nullable(uuid),
});
export type RedeemResponse = z.infer<typeof redeemResponse>;

/** Code as the till shows it before its use: answer of the SQL function `lookup_code`. */
export const codeLookup = z.object({
  /** `test` is a code of the test mode; `unknown` covers other merchants' codes too. */
  state: z.enum([
    "available",
    "used",
    "expired",
    "held",
    "cancelled",
    "other_store",
    "test",
    "unknown",
    "too_many_attempts",
  ]),
  code: z.string(),
  reward: z.nullable(z.object({ id: uuid, name: z.string(), type: rewardType })),
  customer: z.nullable(z.object({ name: z.nullable(z.string()) })),
  store: z.nullable(z.object({ id: uuid, name: z.string() })),
  expires_at: z.nullable(z.string()),
  used_at: z.nullable(z.string()),
  used_by: z.nullable(z.string()),
  /**
   * Identifier that `restore_code` takes; null unless the code was used here less than 10 minutes
   * ago.
   */
  undo_id: z.nullable(uuid),
  /** Points that were spent for it; missing where it was won. */
  points: z.optional(z.int()),
});
export type CodeLookup = z.infer<typeof codeLookup>;
