import type { Wording } from "#domain/text/wording.ts";
import type { doubtedContactCopy as french } from "./doubted-contact.copy.ts";

/** English of the questions about an address or a number that looks misspelt. */
export const doubtedContactCopy = {
  email: (domain) => `Did you mean ${domain}?`,
  correct: "Yes, correct it",
  otherwise: "If not, go on: the address stays as it is.",
  phone: "Is every digit there? Outside France, start with + and the country code.",
  rightPhone: "If it is right, go on.",
} satisfies Wording<typeof french>;
