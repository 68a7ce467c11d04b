import type { Wording } from "#domain/text/wording.ts";
import type { doubtedContactCopy as french } from "./doubted-contact.copy.ts";

/** Italian of the questions about an address or a number that looks misspelt. */
export const doubtedContactCopy = {
  email: (domain) => `Intendevi ${domain}?`,
  correct: "Sì, correggi",
  otherwise: "Altrimenti continua: l'indirizzo resta com'è.",
  phone: "Ci sono tutte le cifre? Fuori dalla Francia inizia con + e il prefisso del paese.",
  rightPhone: "Se è giusto, continua.",
} satisfies Wording<typeof french>;
