import type { Wording } from "#domain/text/wording.ts";
import type { failuresCopy as french } from "./failures.copy.ts";

/** Italian of what can go wrong on a phone page. */
export const failuresCopy = {
  serverFault: "Il servizio non risponde come previsto. Riprova tra un istante.",
  notFoundHint:
    "Non è ancora cominciata, oppure è finita. Chiedi al banco o scansiona di nuovo il codice QR.",
  waitSeconds: (seconds) =>
    seconds < 90
      ? `Riprova tra ${seconds} second${seconds > 1 ? "i" : "o"}.`
      : `Riprova tra ${Math.ceil(seconds / 60)} minuti.`,
} satisfies Wording<typeof french>;
