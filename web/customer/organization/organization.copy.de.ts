import type { Wording } from "#domain/text/wording.ts";
import type { organizationCopy as french } from "./organization.copy.ts";

/** German of the list of an organisation's campaigns. */
export const organizationCopy = {
  title: "Wo sind Sie?",
  intro: "Wählen Sie Ihr Geschäft, um es zu bewerten und am Rad zu drehen.",
  none: "Im Moment dreht sich kein Rad. Schauen Sie bald wieder vorbei.",
  until: (date) => `Bis ${date}`,
  pageTitle: (name, isSigned) => (isSigned ? `${name} – tournavis` : name),
} satisfies Wording<typeof french>;
