import type { Wording } from "#domain/text/wording.ts";
import type { ticketCopy as french } from "./ticket.copy.ts";

/** German of the ticket, here and on the wheel page. */
export const ticketCopy = {
  test: "TEST",
  testCode: "Dieser Testcode berechtigt zu nichts.",
  show: (store) => `${store}: Zeigen Sie diesen Code an der Kasse vor.`,
  code: "Ihr Code:",
  until: (date) => `Gültig bis ${date}`,
  qr: (code) => `QR-Code von ${code}`,
  copy: "Code kopieren",
  copied: "Code kopiert",
} satisfies Wording<typeof french>;
