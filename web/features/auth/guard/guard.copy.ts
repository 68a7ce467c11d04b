/** Words on the screen while the session is read: apart, since every page's guard says them. */
export const guardCopy = {
  checking: "Vérification de l'authentification...",
  loading: "Chargement...",
  checkingLink: "Vérification du lien...",
} as const;
