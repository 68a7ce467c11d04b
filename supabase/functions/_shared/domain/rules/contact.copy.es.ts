import type { Wording } from "../text/wording.ts";
import type { contactCopy as french } from "./contact.copy.ts";

/** Spanish of what the customer's form answers to each mistake. */
export const contactCopy = {
  firstNameRequired: "Indica tu nombre",
  lastNameRequired: "Indica tus apellidos",
  emailRequired: "Indica tu correo electrónico",
  emailInvalid: "Este correo electrónico no parece correcto",
  phoneRequired: "Indica tu número de teléfono",
  phoneInvalid: "Este número de teléfono no parece correcto",
  feedbackTooShort: "El mensaje debe tener al menos 20 caracteres",
  nameTooShort: "Indica al menos 2 caracteres",
  contactRequired: "Indica un correo o un teléfono",
  tooLong: "Este texto es demasiado largo",
} satisfies Wording<typeof french>;
