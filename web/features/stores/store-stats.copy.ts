/** Statistics of a store. */
export const storeStatsCopy = {
  title: "Statistiques du magasin",
  titleOf: (name: string) => `Statistiques de ${name}`,
  loadFailed: "Erreur lors du chargement des statistiques",
  scans: "Scans",
  reviews: "Avis collectés",
  reviewsRate: (share: string) => `${share} des scans`,
  rating: "Note moyenne",
  fiveStars: (share: string) => `${share} de 5 étoiles`,
  redemptions: "Rédemptions",
  redemptionRate: (share: string) => `${share} des gains`,
  trend: "Les 30 derniers jours",
  quiet: "Rien ces 30 derniers jours.",
  described: (scans: string, reviews: string) =>
    `Scans et avis de chacun des 30 derniers jours : ${scans} scans et ${reviews} avis en tout.`,
  funnel: "De la porte à la caisse",
  steps: {
    scans: "Scans",
    reviews: "Avis",
    spins: "Participations",
    wins: "Gains",
    redemptions: "Rédemptions",
  },
  campaigns: "Campagnes de ce magasin",
  noCampaign: "Aucune activité pour le moment.",
  campaignFacts: (scans: string, reviews: string) => `${scans} scans · ${reviews} avis`,
} as const;
