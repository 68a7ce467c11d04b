import type { Wording } from "#domain/text/wording.ts";
import type { doubtedContactCopy as french } from "./doubted-contact.copy.ts";

/** Spanish of the questions about an address or a number that looks misspelt. */
export const doubtedContactCopy = {
  email: (domain) => `¿Querías decir ${domain}?`,
  correct: "Sí, corregir",
  otherwise: "Si no, continúa: la dirección se queda como está.",
  phone: "¿Están todas las cifras? Fuera de Francia, empieza por + y el prefijo del país.",
  rightPhone: "Si es correcto, continúa.",
} satisfies Wording<typeof french>;
