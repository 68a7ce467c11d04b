import type { ContactTopic } from "./contact-form.ts";

/** What somebody writes about, as the form and the mail to the operator call it. */
export const contactTopics: Readonly<Record<ContactTopic, string>> = {
  question: "Une question sur Tournavis",
  demo: "Un rendez-vous de démonstration",
  data: "Mes données personnelles",
  other: "Autre chose",
};
