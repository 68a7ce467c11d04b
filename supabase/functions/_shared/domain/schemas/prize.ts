import * as z from "zod/mini";
import { email } from "../rules/contact.ts";
import { codeStatus } from "./code-status.ts";
import { spinResult } from "./journey.ts";

/** A prize that a phone keeps, named by its turn; the nonce is known to that phone alone. */
const keptTurn = { campaign_id: z.guid(), spin_id: z.guid(), nonce: z.guid() };

/** Body of `prize_status`. */
export const prizeStatusRequest = z.strictObject(keptTurn);

const state = {
  status: codeStatus,
  used_at: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
  /**
   * Decision of the merchant, in a sentence for the winner, and in a word where the code is worth
   * nothing.
   */
  notice: z.optional(z.string()),
  stamp: z.optional(z.string()),
  /** Where the prize is taken: its store, or in words the stores of the organisation once that is archived. */
  place: z.optional(z.string()),
};

/** Whether a prize still waits: what a phone that keeps the prize reads of the answer of `prize_status`. */
export const prizeStatus = z.object(state);

export type PrizeStatus = z.infer<typeof prizeStatus>;

/** Answer of `prize_status`, with the prize itself for a phone that was led to it by a mail. */
export const prizeAnswer = z.object({ ...state, prize: spinResult });

/** Body of `mail_prize`; an address counts only where none is known. */
export const mailPrizeRequest = z.strictObject({ ...keptTurn, email: z.optional(email) });

/** Answer of `mail_prize`. */
export const mailPrizeResponse = z.object({
  /** Masked; null when it had been sent before. */
  sent_to: z.nullable(z.string()),
});
