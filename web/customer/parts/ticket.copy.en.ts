import type { Wording } from "#domain/text/wording.ts";
import type { ticketCopy as french } from "./ticket.copy.ts";

/** English of the ticket, here and on the wheel page. */
export const ticketCopy = {
  test: "TEST",
  testCode: "This test code is not worth anything.",
  show: (store) => `Show this code at the till of ${store}.`,
  code: "Your code:",
  until: (date) => `Valid until ${date}`,
  qr: (code) => `QR code for ${code}`,
  copy: "Copy the code",
  copied: "Code copied",
} satisfies Wording<typeof french>;
