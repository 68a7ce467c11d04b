import type { Wording } from "#domain/text/wording.ts";
import type { doubtedEmailCopy as french } from "./doubted-email.copy.ts";

/** Spanish of the question about an address that looks misspelt. */
export const doubtedEmailCopy = {
  question: (domain) => `¿Querías decir ${domain}?`,
  correct: "Sí, corregir",
  otherwise: "Si no, continúa: la dirección se queda como está.",
} satisfies Wording<typeof french>;
