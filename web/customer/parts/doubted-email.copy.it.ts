import type { Wording } from "#domain/text/wording.ts";
import type { doubtedEmailCopy as french } from "./doubted-email.copy.ts";

/** Italian of the question about an address that looks misspelt. */
export const doubtedEmailCopy = {
  question: (domain) => `Intendevi ${domain}?`,
  correct: "Sì, correggi",
  otherwise: "Altrimenti continua: l'indirizzo resta com'è.",
} satisfies Wording<typeof french>;
