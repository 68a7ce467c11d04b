import type { Wording } from "#domain/text/wording.ts";
import type { ticketCopy as french } from "./ticket.copy.ts";

/** Spanish of the ticket, here and on the wheel page. */
export const ticketCopy = {
  test: "PRUEBA",
  testCode: "Este código de prueba no da derecho a nada.",
  show: (store) => `${store}: enseña este código en la caja.`,
  code: "Tu código:",
  until: (date) => `Válido hasta el ${date}`,
  qr: (code) => `Código QR de ${code}`,
  copy: "Copiar el código",
  copied: "Código copiado",
} satisfies Wording<typeof french>;
