/** What shows while one waits, and the pages that say that something is missing or broken. */
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
