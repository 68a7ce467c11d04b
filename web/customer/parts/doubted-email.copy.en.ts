import type { Wording } from "#domain/text/wording.ts";
import type { doubtedEmailCopy as french } from "./doubted-email.copy.ts";

/** English of the question about an address that looks misspelt. */
export const doubtedEmailCopy = {
  question: (domain) => `Did you mean ${domain}?`,
  correct: "Yes, correct it",
  otherwise: "If not, go on: the address stays as it is.",
} satisfies Wording<typeof french>;
