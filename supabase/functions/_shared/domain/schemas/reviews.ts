import * as z from "zod/mini";
import {
  SEARCH_MAX_LENGTH,
  TEMPLATE_MAX_LENGTH,
  TEMPLATE_NAME_MAX_LENGTH,
} from "../rules/constants.ts";
import { languageSchema } from "../text/languages.ts";
import { seenText } from "../text/seen-text.ts";
import { codeStatus } from "./code-status.ts";

/** Schemas of the reviews that the back-office reads, and of its requests about them: the inbox. */

const count = z.number();

/** Filters of the inbox; what is left out does not filter. */
export const reviewFilters = z.strictObject({
  /** Part of the words, or of the customer's name, e-mail or phone number. */
  search: z.optional(z.string().check(z.maxLength(SEARCH_MAX_LENGTH))),
  /** State of the review; without it, all of them. */
  state: z.optional(z.enum(["open", "answered", "closed"])),
  rating: z.optional(z.int().check(z.minimum(1), z.maximum(5))),
  store_id: z.optional(z.uuid()),
  campaign_id: z.optional(z.uuid()),
  /** Language of the pages on which it was left. */
  locale: z.optional(languageSchema),
  /** Only those with words. */
  with_text: z.optional(z.literal(true)),
  /** Only those that the signed-in member takes care of. */
  mine: z.optional(z.literal(true)),
});
export type ReviewFilters = z.infer<typeof reviewFilters>;

const reviewState = z.nullable(z.enum(["open", "answered", "closed"]));
export type ReviewState = z.infer<typeof reviewState>;

const named = z.object({ id: z.uuid(), name: z.string() });

/** One review of the list; words and names are null for a member who may not see customers. */
const reviewItem = z.object({
  /** An alias: it opens nothing. */
  id: z.uuid(),
  at: z.string(),
  rating: count,
  text: z.nullable(z.string()),
  name: z.nullable(z.string()),
  is_erased: z.boolean(),
  /** Language of the pages on which it was left; null once the customer is erased. */
  locale: z.nullable(languageSchema),
  store: z.string(),
  campaign: z.string(),
  state: reviewState,
  is_seen: z.boolean(),
  /** Member who takes care of it, and whether that is the reader. */
  assignee: z.nullable(z.string()),
  is_mine: z.boolean(),
  /** A colleague who is writing an answer right now. */
  writer: z.nullable(z.string()),
});
export type ReviewItem = z.infer<typeof reviewItem>;

/** Answer of the SQL function `review_inbox`. */
export const reviewInbox = z.object({
  has_previous: z.boolean(),
  has_next: z.boolean(),
  /** Whether the plan exports lists. */
  can_export: z.boolean(),
  stores: z.array(named),
  campaigns: z.array(named),
  items: z.array(reviewItem),
});
export type ReviewInbox = z.infer<typeof reviewInbox>;

const reviewAction = z.object({
  id: z.uuid(),
  at: z.string(),
  by: z.nullable(z.string()),
  kind: z.enum(["note", "answer", "answered", "closed", "reopened", "assigned", "gesture"]),
  /** Null once the customer is erased. */
  body: z.nullable(z.string()),
  assignee: z.nullable(z.string()),
  delivery: z.nullable(z.enum(["queued", "sent", "failed"])),
});
export type ReviewAction = z.infer<typeof reviewAction>;

/** A code that was given with a review. */
const givenCode = z.object({
  reward: z.string(),
  /** Null for a member who may not read codes. */
  code: z.nullable(z.string()),
  status: codeStatus,
  expires_at: z.nullable(z.string()),
  /** Time zone of its store, by which it ends. */
  timezone: z.optional(z.string()),
  used_at: z.nullable(z.string()),
});
export type GivenCode = z.infer<typeof givenCode>;

/** A reward that a code can be given for. */
const givableReward = z.object({
  id: z.uuid(),
  name: z.string(),
  campaign: z.string(),
  /** How many are left; -1 is unlimited. */
  stock: count,
  /** For how many days the code is good. */
  days: count,
});
export type GivableReward = z.infer<typeof givableReward>;

/** A text that answers begin with; `{prénom}` and `{magasin}` are replaced by the customer's first name and the store. */
export const answerTemplate = z.object({
  name: z
    .string()
    .check(z.overwrite(seenText), z.minLength(1), z.maxLength(TEMPLATE_NAME_MAX_LENGTH)),
  body: z.string().check(z.trim(), z.minLength(1), z.maxLength(TEMPLATE_MAX_LENGTH)),
});
export type AnswerTemplate = z.infer<typeof answerTemplate>;

/** Answer of the SQL function `review_detail`; null when there is no such review. */
export const reviewDetail = z.nullable(
  z.object({
    id: z.uuid(),
    /** Sent with each action on it, so that two colleagues never answer twice. */
    version: count,
    at: z.string(),
    rating: count,
    text: z.nullable(z.string()),
    name: z.nullable(z.string()),
    is_erased: z.boolean(),
    /** Whether the public reviews page was opened from this visit. */
    went_public: z.boolean(),
    /** Language of the pages on which it was left; null once the customer is erased. */
    locale: z.nullable(languageSchema),
    store: z.string(),
    campaign: named,
    state: reviewState,
    is_seen: z.boolean(),
    assigned_to: z.nullable(z.uuid()),
    assignee: z.nullable(z.string()),
    writer: z.nullable(z.string()),
    colleagues: z.array(named),
    my_id: z.uuid(),
    customer: z.nullable(
      z.object({
        id: z.uuid(),
        name: z.string(),
        first_name: z.nullable(z.string()),
        email: z.nullable(z.string()),
        phone: z.nullable(z.string()),
        note: z.nullable(z.string()),
        created_at: z.string(),
        review_count: count,
        rating_sum: count,
        spin_count: count,
        redemption_count: count,
        /** The last 5 others. */
        reviews: z.array(
          z.object({ id: z.uuid(), at: z.string(), rating: count, text: z.nullable(z.string()) }),
        ),
      }),
    ),
    /** Why the customer cannot be written to; null when they can. */
    obstacle: z.nullable(z.enum(["erased", "no_address", "no_sender"])),
    /** Where the customer's own answer would go. */
    answers_to: z.nullable(z.string()),
    /** The organisation's own; null while it uses the given ones. */
    templates: z.nullable(z.array(answerTemplate)),
    /** A gesture of goodwill, one a review: what was given, or what the reader could give (null without the rights). */
    gesture: z.object({
      given: z.nullable(givenCode),
      rewards: z.nullable(z.array(givableReward)),
    }),
    /** Oldest first, the last 100. */
    actions: z.array(reviewAction),
  }),
);
export type ReviewDetail = NonNullable<z.infer<typeof reviewDetail>>;

/** Answer of the SQL functions `answer_review`, `give_goodwill_code` and `set_review_state`. */
export const reviewHandled = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("saved") }),
  /** A colleague dealt with it meanwhile. */
  z.object({ outcome: z.literal("conflict"), state: reviewState, by: z.nullable(z.string()) }),
  /** A colleague is writing. */
  z.object({ outcome: z.literal("claimed"), by: z.nullable(z.string()) }),
  z.object({ outcome: z.enum(["erased", "no_address", "no_sender", "too_many"]) }),
  /** No code is given: there is one already, or the reward cannot be had any more. */
  z.object({ outcome: z.enum(["already_given", "reward_gone", "sold_out"]) }),
]);
export type ReviewHandled = z.infer<typeof reviewHandled>;

/** Answer of the SQL function `claim_review`. */
export const reviewClaim = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.enum(["held", "released"]) }),
  z.object({ outcome: z.literal("claimed"), by: z.nullable(z.string()) }),
]);
