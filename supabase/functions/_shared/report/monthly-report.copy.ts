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
      ? "Évolution par rapport au jour d'avant."
      : `Évolution par rapport aux ${days} jours d'avant.`,
  nothingBefore: "rien à comparer avant",
  tiles: {
    scans: "Scans",
    reviews: "Avis collectés",
    average: "Note moyenne",
    fiveStars: "Avis 5 étoiles",
    wins: "Gains",
    redemptions: "Codes utilisés",
  },
  points: "pts",
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
    `À côté, participations sans avis : ${spins}, dont ${wins} gagnantes ; codes utilisés : ${uses}.`,
  earnings: "Ce que ça rapporte",
  revenue: (visits: string, share: string | null) =>
    `Visites ramenées, au panier moyen (${share === null ? visits : `${share} de ${visits}`})`,
  cost: "Cadeaux",
  subscription: "Abonnement, hors taxes",
  gain: "Il reste, estimé",
  unknown: (visits: string) =>
    `Codes utilisés à la caisse : ${visits}. Sans panier moyen, ce qu'ils rapportent n'est pas connu.`,
  unestimated: (visits: string) => `Non comptées, faute de panier moyen : ${visits}.`,
  unpriced: (uses: string) => `Cadeaux sans coût renseigné, non comptés : ${uses}.`,
  pages: "Page publique",
  page: (rating: string, reviews: string, day: string) =>
    `${rating} sur 5, ${reviews} avis au ${day}`,
  pageGain: (gain: string, day: string) => `${gain} avis depuis le ${day}`,
  footer: (organization: string) => `${organization} · chiffres de Tournavis`,
} as const;
