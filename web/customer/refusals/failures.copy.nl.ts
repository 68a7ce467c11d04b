import type { Wording } from "#domain/text/wording.ts";
import type { failuresCopy as french } from "./failures.copy.ts";

/** Dutch of what can go wrong on a phone page. */
export const failuresCopy = {
  serverFault: "De dienst antwoordt niet zoals verwacht. Probeer het zo opnieuw.",
  notFoundHint:
    "Het is nog niet begonnen of het is voorbij. Vraag het aan de balie of scan de QR-code opnieuw.",
  waitSeconds: (seconds) =>
    seconds < 90
      ? `Probeer het over ${seconds} second${seconds > 1 ? "en" : "e"} opnieuw.`
      : `Probeer het over ${Math.ceil(seconds / 60)} minuten opnieuw.`,
} satisfies Wording<typeof french>;
