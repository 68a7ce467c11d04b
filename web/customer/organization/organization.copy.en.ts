import type { Wording } from "#domain/text/wording.ts";
import type { organizationCopy as french } from "./organization.copy.ts";

/** English of the list of an organisation's campaigns. */
export const organizationCopy = {
  title: "Where are you?",
  intro: "Choose your shop to leave a review and spin the wheel.",
  none: "No wheel is spinning right now. Come back soon.",
  until: (date) => `Until ${date}`,
  pageTitle: (name, isSigned) => (isSigned ? `${name} – tournavis` : name),
} satisfies Wording<typeof french>;
