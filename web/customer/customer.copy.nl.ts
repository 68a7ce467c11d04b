import type { Wording } from "#domain/text/wording.ts";
import type { customerCopy as french } from "./customer.copy.ts";

/** Dutch that every phone page shares. */
export const customerCopy = {
  progress: (step, total) => `Stap ${step} van ${total}`,
  loading: "Laden…",
  retry: "Opnieuw proberen",
  sending: "Bezig met versturen…",
  offline:
    "De verbinding is weggevallen. Verder is niets verloren: probeer het opnieuw als die terug is.",
  startAgain: "Terug naar het begin",
  scriptNeeded: "Zet JavaScript aan in je browser om verder te gaan.",
  email: "E-mailadres",
  phone: "Telefoonnummer",
} satisfies Wording<typeof french>;
