import * as z from "zod/mini";
import { type Message, readMessage } from "./read-message.ts";
import { smsCopy } from "./sms.copy.ts";

/** Data and text of each kind of text message. */
const TEMPLATES = {
  text: z.pipe(
    z.object({ body: z.string() }),
    z.transform(({ body }) => body),
  ),
  low_rating: z.pipe(
    z.object({ store: z.string(), rating: z.int() }),
    z.transform(({ store, rating }) => smsCopy.lowRating(store, rating)),
  ),
} as const;

/** Text of a message of the outbox. */
export function readSms(message: Message): string {
  return readMessage<string>(TEMPLATES, message);
}
