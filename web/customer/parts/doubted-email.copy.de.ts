import type { Wording } from "#domain/text/wording.ts";
import type { doubtedEmailCopy as french } from "./doubted-email.copy.ts";

/** German of the question about an address that looks misspelt. */
export const doubtedEmailCopy = {
  question: (domain) => `Meinten Sie ${domain}?`,
  correct: "Ja, korrigieren",
  otherwise: "Wenn nicht, einfach fortfahren: Die Adresse bleibt, wie sie ist.",
} satisfies Wording<typeof french>;
