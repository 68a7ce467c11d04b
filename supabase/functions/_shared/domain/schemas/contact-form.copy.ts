import type { ContactTopic } from "./contact-form.ts";

/** Topics of a message, as the form and the mail to the operator call them. */
export const contactTopics: Readonly<Record<ContactTopic, string>> = {
  question: "Une question sur Tournavis",
  demo: "Un rendez-vous de démonstration",
  data: "Mes données personnelles",
  other: "Autre chose",
};
