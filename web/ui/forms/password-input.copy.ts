/** The eye beside a password. */
export const passwordInputCopy = {
  show: "Afficher le mot de passe",
  hide: "Masquer le mot de passe",
} as const;
