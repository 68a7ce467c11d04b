import type { Wording } from "#domain/text/wording.ts";
import type { ticketCopy as french } from "./ticket.copy.ts";

/** Italian of the ticket, here and on the wheel page. */
export const ticketCopy = {
  test: "PROVA",
  testCode: "Questo codice di prova non dà diritto a nulla.",
  show: (store) => `${store}: mostra questo codice alla cassa.`,
  code: "Il tuo codice:",
  until: (date) => `Valido fino a ${date}`,
  qr: (code) => `Codice QR di ${code}`,
  copy: "Copia il codice",
  copied: "Codice copiato",
} satisfies Wording<typeof french>;
