import type { Wording } from "#domain/text/wording.ts";
import type { doubtedEmailCopy as french } from "./doubted-email.copy.ts";

/** Dutch of the question about an address that looks misspelt. */
export const doubtedEmailCopy = {
  question: (domain) => `Bedoelde je ${domain}?`,
  correct: "Ja, verbeteren",
  otherwise: "Zo niet, ga dan verder: het adres blijft zoals het is.",
} satisfies Wording<typeof french>;
