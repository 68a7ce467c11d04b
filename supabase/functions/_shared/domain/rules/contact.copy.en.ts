import type { Wording } from "../text/wording.ts";
import type { contactCopy as french } from "./contact.copy.ts";

/** English of what the customer's form answers to each mistake. */
export const contactCopy = {
  firstNameRequired: "Enter your first name",
  lastNameRequired: "Enter your last name",
  emailRequired: "Enter your email address",
  emailInvalid: "This email address does not look right",
  phoneRequired: "Enter your phone number",
  phoneInvalid: "This phone number does not look right",
  feedbackTooShort: "Your message needs at least 20 characters",
  nameTooShort: "Enter at least 2 characters",
  contactRequired: "Enter an email address or a phone number",
  tooLong: "This text is too long",
} satisfies Wording<typeof french>;
