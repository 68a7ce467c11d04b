/** The pages of a campaign. */
export const campaignTabsCopy = {
  label: "Pages de la campagne",
  overview: "Vue d'ensemble",
  wheel: "Roue",
  posters: "Affiches",
  reviews: "Avis",
  settings: "Réglages",
} as const;
