import * as z from "zod/mini";
import { BAD_RATING, MIN_RATING } from "../domain/rules/constants.ts";
import { isolated } from "../domain/text/isolated.ts";
import { typeset } from "../domain/text/typeset.ts";
import { pushCopy as copy } from "./push.copy.ts";
import { type Message, readMessage } from "./read-message.ts";

/**
 * Text that a device shows, and the page of ours that it opens (`web/public/push-worker.js` reads
 * it).
 */
export type PushText = { title: string; body: string; path: string };

/** Longest name in a message: a phone shows two lines. */
const NAME_MAX_LENGTH = 80;

const name = z.string();
const lowRating = z.object({
  store: name,
  rating: z.int().check(z.minimum(MIN_RATING), z.maximum(BAD_RATING)),
  review: z.optional(z.uuid()),
  campaign: z.optional(z.uuid()),
});
const lowStock = z.object({
  store: name,
  prize: name,
  stock: z.int().check(z.minimum(0)),
  reward: z.optional(z.uuid()),
});

/** Data, text and urgency of each kind of message. */
const TEMPLATES = {
  low_rating: z.pipe(
    lowRating,
    z.transform(
      ({ store, rating, review, campaign }): PushText => ({
        title: typeset(copy.lowRating.title),
        body: typeset(copy.lowRating.text(short(store), rating)),
        // A reader who may not see customers is led to the campaign.
        path: review
          ? `/reviews?review=${review}`
          : campaign
            ? `/campaigns/${campaign}`
            : "/dashboard",
      }),
    ),
  ),
  low_stock: z.pipe(
    lowStock,
    z.transform(
      ({ store, prize, stock, reward }): PushText => ({
        title: typeset(copy.lowStock.title),
        body: typeset(
          stock === 0
            ? copy.lowStock.none(short(store), short(prize))
            : copy.lowStock.few(short(store), short(prize), stock),
        ),
        path: reward ? `/rewards/${reward}/edit` : "/rewards",
      }),
    ),
  ),
} as const;

/** Text of a push message of the outbox. */
export function readPush(message: Message): PushText {
  return readMessage<PushText>(TEMPLATES, message);
}

/** A name within a sentence, beside another one. */
function short(text: string): string {
  const letters = [...text];
  return isolated(
    letters.length > NAME_MAX_LENGTH ? `${letters.slice(0, NAME_MAX_LENGTH - 1).join("")}…` : text,
  );
}
