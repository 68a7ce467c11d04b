import type { Wording } from "#domain/text/wording.ts";
import type { organizationCopy as french } from "./organization.copy.ts";

/** Spanish of the list of an organisation's campaigns. */
export const organizationCopy = {
  title: "¿Dónde estás?",
  intro: "Elige tu tienda para dar tu opinión y girar la ruleta.",
  none: "Ahora mismo no gira ninguna ruleta. Vuelve pronto.",
  until: (date) => `Hasta el ${date}`,
  pageTitle: (name, isSigned) => (isSigned ? `${name} – tournavis` : name),
} satisfies Wording<typeof french>;
