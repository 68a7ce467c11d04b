import type { Wording } from "#domain/text/wording.ts";
import type { failuresCopy as french } from "./failures.copy.ts";

/** English of what can go wrong on a phone page. */
export const failuresCopy = {
  serverFault: "The service is not answering as it should. Please try again in a moment.",
  notFoundHint:
    "It has not started yet, or it is over. Ask at the counter, or scan the QR code again.",
  waitSeconds: (seconds) =>
    seconds < 90
      ? `Try again in ${seconds} second${seconds > 1 ? "s" : ""}.`
      : `Try again in ${Math.ceil(seconds / 60)} minutes.`,
} satisfies Wording<typeof french>;
