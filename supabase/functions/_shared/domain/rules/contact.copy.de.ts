import type { Wording } from "../text/wording.ts";
import type { contactCopy as french } from "./contact.copy.ts";

/** German of what the customer's form answers to each mistake. */
export const contactCopy = {
  firstNameRequired: "Geben Sie Ihren Vornamen an",
  lastNameRequired: "Geben Sie Ihren Nachnamen an",
  emailRequired: "Geben Sie Ihre E-Mail-Adresse an",
  emailInvalid: "Diese E-Mail-Adresse stimmt nicht",
  phoneRequired: "Geben Sie Ihre Telefonnummer an",
  phoneInvalid: "Diese Telefonnummer stimmt nicht",
  feedbackTooShort: "Die Nachricht braucht mindestens 20 Zeichen",
  nameTooShort: "Geben Sie mindestens 2 Zeichen an",
  contactRequired: "Geben Sie eine E-Mail-Adresse oder eine Telefonnummer an",
  tooLong: "Dieser Text ist zu lang",
} satisfies Wording<typeof french>;
