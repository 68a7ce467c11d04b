import type { Wording } from "#domain/text/wording.ts";
import type { doubtedContactCopy as french } from "./doubted-contact.copy.ts";

/** Dutch of the questions about an address or a number that looks misspelt. */
export const doubtedContactCopy = {
  email: (domain) => `Bedoelde je ${domain}?`,
  correct: "Ja, verbeteren",
  otherwise: "Zo niet, ga dan verder: het adres blijft zoals het is.",
  phone: "Staan alle cijfers er? Buiten Frankrijk begint het met + en de landcode.",
  rightPhone: "Klopt het, ga dan verder.",
} satisfies Wording<typeof french>;
