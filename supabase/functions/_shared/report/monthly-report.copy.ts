/** Words of the monthly report (PDF and mail). */
export const monthlyReportCopy = {
  /** In the file's properties. */
  product: "Tournavis",
  /** In the place of names that the letters of the page cannot write. */
  unnamed: "Votre établissement",
  unnamedStore: (number: number) => `Établissement ${number}`,
  title: (month: string) => `Rapport du mois : ${month}`,
  file: (month: string) => `rapport-${month}.pdf`,
  before: (days: number) =>
    days === 1
      ? "Évolution par rapport au jour précédent."
      : `Évolution par rapport aux ${days} jours précédents.`,
  nothingBefore: "aucun chiffre avant",
  tiles: {
    scans: "Scans",
    reviews: "Avis collectés",
    average: "Note moyenne",
    fiveStars: "Avis 5 étoiles",
    wins: "Gains",
    redemptions: "Codes utilisés",
  },
  days: "Jour par jour",
  legend: { scans: "Scans", reviews: "Avis" },
  quiet: "Rien ce mois-là.",
  funnel: "De la porte à la caisse",
  steps: {
    scans: "Scans",
    reviews: "Avis",
    spins: "Participations",
    wins: "Gains",
    redemptions: "Codes utilisés",
  },
  free: (spins: string, wins: string, uses: string) =>
    `À côté, participations sans avis : ${spins} ; gagnantes : ${wins} ; codes utilisés : ${uses}.`,
  earnings: "Ce que ça rapporte",
  revenue: (visits: string, share: string | null) =>
    `Visites de retour, au panier moyen (${share === null ? visits : `${share} de ${visits}`})`,
  cost: "Récompenses",
  subscription: "Abonnement, hors taxes",
  gain: "Il reste (estimation)",
  unknown: (visits: string) =>
    `Codes utilisés à la caisse : ${visits}. Sans panier moyen, ce qu'ils rapportent n'est pas connu.`,
  unestimated: (visits: string) => `Non comptées, faute de panier moyen : ${visits}.`,
  unpriced: (uses: string) => `Récompenses sans coût renseigné, non comptées : ${uses}.`,
  pages: "Page publique",
  page: (rating: string, reviews: string, day: string) =>
    `${rating} sur 5, ${reviews} avis au ${day}`,
  pageGain: (gain: string, day: string) => `${gain} avis depuis le ${day}`,
  footer: (organization: string) => `${organization} · chiffres de Tournavis`,
} as const;
