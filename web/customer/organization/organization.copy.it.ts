import type { Wording } from "#domain/text/wording.ts";
import type { organizationCopy as french } from "./organization.copy.ts";

/** Italian of the list of an organisation's campaigns. */
export const organizationCopy = {
  title: "Dove ti trovi?",
  intro: "Scegli il tuo negozio per lasciare la tua opinione e girare la ruota.",
  none: "Al momento non gira nessuna ruota. Torna presto.",
  until: (date) => `Fino a ${date}`,
  pageTitle: (name, isSigned) => (isSigned ? `${name} – tournavis` : name),
} satisfies Wording<typeof french>;
