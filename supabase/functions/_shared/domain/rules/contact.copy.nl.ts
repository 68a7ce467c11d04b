import type { Wording } from "../text/wording.ts";
import type { contactCopy as french } from "./contact.copy.ts";

/** Dutch of what the customer's form answers to each mistake. */
export const contactCopy = {
  firstNameRequired: "Vul je voornaam in",
  lastNameRequired: "Vul je achternaam in",
  emailRequired: "Vul je e-mailadres in",
  emailInvalid: "Dit e-mailadres lijkt niet te kloppen",
  phoneRequired: "Vul je telefoonnummer in",
  phoneInvalid: "Dit telefoonnummer lijkt niet te kloppen",
  feedbackTooShort: "Het bericht moet minstens 20 tekens hebben",
  nameTooShort: "Vul minstens 2 tekens in",
  contactRequired: "Vul een e-mailadres of telefoonnummer in",
  tooLong: "Deze tekst is te lang",
} satisfies Wording<typeof french>;
