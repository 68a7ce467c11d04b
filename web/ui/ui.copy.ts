/** Texts of the design system's own controls. */
export const uiCopy = {
  seePlans: "Voir les plans",
  /** The page that says that something broke (specification, section 2.1). */
  error: {
    title: "Oops! Une erreur est survenue",
    text: "Un problème technique est survenu. Réessayez, ou revenez à l'accueil.",
    home: "Retour à l'accueil",
    retry: "Réessayer",
  },
  loadFailed: "Cette page ne se charge pas",
  retry: "Réessayer",
  cancel: "Annuler",
  leaveTitle: "Quitter sans enregistrer ?",
  leaveText: "Ce que vous avez saisi sera perdu.",
  leave: "Quitter",
  clearSearch: "Effacer la recherche",
  loading: "Chargement...",
} as const;
