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
  error: {
    title: "Oops! Une erreur est survenue",
    text: "Un problème technique est survenu. Réessayez, ou revenez à l'accueil.",
    home: "Retour à l'accueil",
    retry: "Réessayer",
  },
} as const;
