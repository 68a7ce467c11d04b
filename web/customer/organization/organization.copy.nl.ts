import type { Wording } from "#domain/text/wording.ts";
import type { organizationCopy as french } from "./organization.copy.ts";

/** Dutch of the list of an organisation's campaigns. */
export const organizationCopy = {
  title: "Waar ben je?",
  intro: "Kies je winkel om je mening te geven en aan het rad te draaien.",
  none: "Op dit moment draait er geen rad. Kom snel terug.",
  until: (date) => `Tot en met ${date}`,
  pageTitle: (name, isSigned) => (isSigned ? `${name} – tournavis` : name),
} satisfies Wording<typeof french>;
