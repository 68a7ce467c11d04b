import type { Wording } from "../text/wording.ts";
import type { contactCopy as french } from "./contact.copy.ts";

/** Italian of what the customer's form answers to each mistake. */
export const contactCopy = {
  firstNameRequired: "Indica il tuo nome",
  lastNameRequired: "Indica il tuo cognome",
  emailRequired: "Indica il tuo indirizzo e-mail",
  emailInvalid: "Questo indirizzo e-mail non sembra corretto",
  phoneRequired: "Indica il tuo numero di telefono",
  phoneInvalid: "Questo numero di telefono non sembra corretto",
  feedbackTooShort: "Il messaggio deve avere almeno 20 caratteri",
  nameTooShort: "Indica almeno 2 caratteri",
  contactRequired: "Indica un'e-mail o un telefono",
  tooLong: "Questo testo è troppo lungo",
} satisfies Wording<typeof french>;
