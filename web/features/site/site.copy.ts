/** Texts of waiting, and of the pages for something missing or broken. */
export const siteCopy = {
  home: {
    loading: "Chargement...",
  },
  notFound: {
    title: "Page non trouvée",
    text: "Cette page n'existe pas ou a été déplacée.",
    home: "Retour à l'accueil",
  },
} as const;
