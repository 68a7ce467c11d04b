/** Answers of the customer's form to each mistake (specification, section 5). */
export const contactCopy = {
  firstNameRequired: "Le prénom est requis",
  lastNameRequired: "Le nom est requis",
  emailRequired: "L'email est requis",
  emailInvalid: "Format d'email invalide",
  phoneRequired: "Le téléphone est requis",
  phoneInvalid: "Format de téléphone invalide",
  feedbackTooShort: "Le message doit contenir au moins 20 caractères",
  nameTooShort: "Indiquez au moins 2 caractères",
  contactRequired: "Indiquez un email ou un téléphone",
  tooLong: "Ce texte est trop long : raccourcissez-le.",
} as const;
