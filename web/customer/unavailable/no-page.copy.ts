/** An address below `/c/` or `/org/` that no page has (specification, section 2.1). */
export const noPageCopy = {
  title: "Page non trouvée",
  text: "Cette page n'existe pas ou a été déplacée.",
  home: "Retour à l'accueil",
} as const;
