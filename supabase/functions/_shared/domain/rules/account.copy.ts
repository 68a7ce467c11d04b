/** Refusals of a new password (specification, section 5). */
export const accountCopy = {
  passwordTooShort: "Le mot de passe doit contenir au moins 6 caractères",
  passwordTooLong: "Ce mot de passe est trop long",
  passwordsDiffer: "Les mots de passe ne correspondent pas",
} as const;
