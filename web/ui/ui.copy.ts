/** What the design system's own controls say. */
export const uiCopy = {
  showPassword: "Afficher le mot de passe",
  hidePassword: "Masquer le mot de passe",
} as const;
