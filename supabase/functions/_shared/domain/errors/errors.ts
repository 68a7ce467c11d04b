import * as z from "zod/mini";
import type { errorCopy } from "./errors.copy.ts";

/** Every code that a server function may answer with; matched by code, never by text. */
export type ErrorCode = keyof typeof errorCopy;

/** HTTP status of each error code. */
export const errorStatus: Readonly<Record<ErrorCode, number>> = {
  campaign_not_found: 404,
  campaign_failed: 500,
  review_failed: 500,
  feedback_failed: 500,
  feedback_exists: 409,
  customer_failed: 500,
  invalid_request: 400,
  review_not_found: 404,
  wheel_failed: 500,
  nothing_to_draw: 409,
  draw_failed: 500,
  record_failed: 500,
  spins_used_up: 409,
  already_played: 409,
  presence_missing: 403,
  presence_wrong: 422,
  too_many_attempts: 429,
  prize_not_found: 404,
  email_needed: 409,
  points_reward_gone: 409,
  points_cost_changed: 409,
  points_missing: 409,
  points_sold_out: 409,
  points_request_reused: 409,
  body_too_large: 413,
  method_not_allowed: 405,
  not_found: 404,
  link_unknown: 404,
  unauthenticated: 401,
  second_factor_required: 403,
  forbidden: 403,
  code_not_found: 404,
  code_test: 409,
  code_used: 409,
  code_expired: 409,
  code_held: 409,
  code_cancelled: 409,
  code_other_store: 409,
  api_key_refused: 401,
  api_not_in_plan: 402,
  api_off: 503,
  export_forbidden: 403,
  export_owner_only: 403,
  export_not_in_plan: 402,
  export_busy: 429,
  billing_forbidden: 403,
  payments_off: 503,
  contact_off: 503,
  already_subscribed: 409,
  not_subscribed: 409,
  organization_ending: 409,
  campaigns_to_choose: 409,
  payment_overdue: 409,
  preview_outdated: 409,
  preview_failed: 502,
  checkout_failed: 502,
  update_failed: 502,
  card_declined: 402,
  portal_failed: 502,
  customer_missing: 404,
  test_customer_failed: 502,
  test_customer_not_saved: 500,
  subscription_closed: 402,
  organization_suspended: 403,
  reading_closed: 402,
  brand_forbidden: 403,
  brand_not_in_plan: 402,
  logo_too_heavy: 413,
  logo_too_large: 422,
  logo_unreadable: 422,
  invalid_signature: 400,
  internal_error: 500,
  service_unavailable: 503,
};

/** Facts that help a person act on a refusal; dates are ISO 8601 with a zone. */
const errorDetails = z.object({
  /** From when this person may play again (`already_played`). */
  next_play_at: z.optional(z.string()),
  /** When the code was used, and the name of who used it (`code_used`). */
  used_at: z.optional(z.string()),
  used_by: z.optional(z.nullable(z.string())),
  /** When the code expired (`code_expired`). */
  expires_at: z.optional(z.string()),
  /** Name of the store where the code is valid (`code_other_store`). */
  store_name: z.optional(z.string()),
  /** Fields of the body that were refused (`invalid_request`), as paths. */
  fields: z.optional(z.array(z.string())),
});
export type ErrorDetails = z.infer<typeof errorDetails>;

/** Body of every error answer: `{ "error": { "code", "message", "details"? } }`. */
export const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.optional(errorDetails),
  }),
});
