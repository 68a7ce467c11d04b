/** What the design system's own controls say. */
export const uiCopy = {
  seePlans: "Voir les plans",
  showPassword: "Afficher le mot de passe",
  hidePassword: "Masquer le mot de passe",
  loadFailed: "Cette page ne se charge pas",
  retry: "Réessayer",
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
