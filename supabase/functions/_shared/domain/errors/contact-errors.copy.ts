/** French of the contact form's own refusal: the public page that calls it has words of its own. */
export const contactErrorCopy = {
  contact_off: "Ce site n'a pas d'adresse à laquelle écrire.",
} as const;
