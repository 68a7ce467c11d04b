import type { Wording } from "#domain/text/wording.ts";
import type { doubtedContactCopy as french } from "./doubted-contact.copy.ts";

/** German of the questions about an address or a number that looks misspelt. */
export const doubtedContactCopy = {
  email: (domain) => `Meinten Sie ${domain}?`,
  correct: "Ja, korrigieren",
  otherwise: "Wenn nicht, einfach fortfahren: Die Adresse bleibt, wie sie ist.",
  phone: "Sind alle Ziffern da? Außerhalb Frankreichs beginnen Sie mit + und der Landesvorwahl.",
  rightPhone: "Wenn sie stimmt, einfach fortfahren.",
} satisfies Wording<typeof french>;
