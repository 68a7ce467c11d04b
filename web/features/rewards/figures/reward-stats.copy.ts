import { formatCount } from "../../../lib/format.ts";

/** The statistics of a reward (specification, section 2.17; design, section 5). */
export const rewardStatsCopy = {
  title: "Statistiques",
  titleOf: (name: string) => `Statistiques : ${name}`,
  cards: {
    wins30: "Gains, 30 jours",
    uses30: "Utilisations, 30 jours",
    wins90: "Gains, 90 jours",
    uses90: "Utilisations, 90 jours",
  },
  rate: (rate: string) => `${rate} des gains`,
  trend: "Gains et utilisations par jour",
  period: "Période",
  last: (days: number) => `${days} jours`,
  wins: "Gains",
  uses: "Utilisations",
  summary: (days: number, wins: number, uses: number) =>
    `Sur ${days} jours : ${formatCount(wins, "gain", "gains")}, ${formatCount(uses, "utilisation", "utilisations")}.`,
  quiet: "Rien sur cette période : la récompense n'a pas encore été gagnée.",
  best: (day: string, wins: number) =>
    `Meilleur jour : ${day}, ${formatCount(wins, "gain", "gains")}.`,
  codes: "Codes par état",
  states: { available: "Disponibles", used: "Utilisés", expired: "Expirés" },
  total: (count: number) => (count < 2 ? "code" : "codes"),
  noCodes: "Aucun code émis.",
  pointsHaveNoCodes: "Les points sont crédités automatiquement, sans code.",
  locked:
    "Le plan Basic montre ici combien de fois cette récompense est gagnée et utilisée, jour par jour, et l'état de ses codes.",
  loadFailed: "Erreur lors du chargement des statistiques",
} as const;
