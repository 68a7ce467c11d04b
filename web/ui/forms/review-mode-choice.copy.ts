/** Texts of the choice of a store's review mode. */
export const reviewModeChoiceCopy = {
  mode: "À qui proposer l'avis public ?",
  modes: {
    compliant: {
      title: "Mode conforme",
      badge: "Recommandé",
      text: "Tous vos clients peuvent laisser un avis public, positif ou négatif. C'est conforme aux règles de la plateforme d'avis.",
    },
    gating: {
      title: "Mode filtré",
      badge: "Avancé",
      text: "Seuls les clients satisfaits (4 ou 5 étoiles) sont dirigés vers votre page d'avis.",
    },
  },
  gatingWarning:
    "La plateforme d'avis interdit ce filtrage. Elle peut supprimer vos avis, et même suspendre votre fiche.",
};
