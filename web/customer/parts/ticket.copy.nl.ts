import type { Wording } from "#domain/text/wording.ts";
import type { ticketCopy as french } from "./ticket.copy.ts";

/** Dutch of the ticket, here and on the wheel page. */
export const ticketCopy = {
  test: "TEST",
  testCode: "Deze testcode geeft nergens recht op.",
  show: (store) => `Laat deze code zien aan de kassa van ${store}.`,
  code: "Je code:",
  until: (date) => `Geldig tot en met ${date}`,
  qr: (code) => `QR-code van ${code}`,
  copy: "Code kopiëren",
  copied: "Code gekopieerd",
} satisfies Wording<typeof french>;
