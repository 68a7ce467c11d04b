/** What the design system's own controls say. */
export const uiCopy = {
  seePlans: "Voir les plans",
  showPassword: "Afficher le mot de passe",
  hidePassword: "Masquer le mot de passe",
  /** The page that says that something broke (specification, section 2.1). */
  error: {
    title: "Oops! Une erreur est survenue",
    text: "Un problème technique est survenu. Réessayez, ou revenez à l'accueil.",
    home: "Retour à l'accueil",
    retry: "Réessayer",
  },
  loadFailed: "Cette page ne se charge pas",
  stale: "La mise à jour a échoué. Ce que vous voyez date peut-être.",
  kept: "La liste d'avant reste affichée.",
  retry: "Réessayer",
  /** The rate of redemption of wins that have a code. */
  withoutPoints: (share: string) => `Sans les gains en points : ${share}`,
  cancel: "Annuler",
  leaveTitle: "Quitter sans enregistrer ?",
  leaveText: "Ce que vous avez saisi sera perdu.",
  leave: "Quitter",
  clearSearch: "Effacer la recherche",
  loading: "Chargement...",
  lockedTitle: "Inclus dans les plans Basic et Pro",
  pages: "Pages de la liste",
  previousPage: "Précédent",
  nextPage: "Suivant",
  page: (page: number, pages?: number) => (pages ? `Page ${page} sur ${pages}` : `Page ${page}`),
} as const;
