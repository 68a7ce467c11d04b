import type { Wording } from "#domain/text/wording.ts";
import type { customerCopy as french } from "./customer.copy.ts";

/** German that every phone page shares. */
export const customerCopy = {
  progress: (step, total) => `Schritt ${step} von ${total}`,
  loading: "Wird geladen…",
  retry: "Noch einmal versuchen",
  sending: "Wird gesendet…",
  offline:
    "Die Verbindung ist abgebrochen. Nichts ist verloren: Versuchen Sie es noch einmal, wenn sie wieder da ist.",
  startAgain: "Zurück zum Anfang",
  scriptNeeded: "Um fortzufahren, aktivieren Sie JavaScript in Ihrem Browser.",
  email: "E-Mail-Adresse",
  phone: "Telefonnummer",
} satisfies Wording<typeof french>;
