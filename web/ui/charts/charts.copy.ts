import { formatCount, formatNumber } from "../../lib/format.ts";

/** Texts of the charts themselves. */
export const chartsCopy = {
  cursor: "Jour affiché",
  table: "Voir les chiffres",
  day: "Jour",
  value: (label: string, value: string) => `${label} : ${value}`,
  readout: (day: string, values: readonly string[]) => `${day} : ${values.join(", ")}`,
  total: (label: string, total: string) => `${label} (${total})`,
  ofPrevious: "de l'étape précédente",
  stars: (count: number) => (count === 1 ? "1 étoile" : `${count} étoiles`),
  share: (count: string, share: string) => `${count} · ${share}`,
  visits: {
    trend: "Les 30 derniers jours",
    trendTitle: "Scans, avis et participations des 30 derniers jours",
    quiet: "Rien ces 30 derniers jours.",
    described: (scans: number, reviews: number, spins: number) =>
      `En tout : ${formatCount(scans, "scan", "scans")}, ${formatNumber(reviews)} avis et ${formatCount(spins, "participation", "participations")}.`,
    funnel: "De la porte à la caisse",
    funnelHint: "En pourcentage : combien passent d'une étape à la suivante.",
    free: (spins: number, wins: number, uses: number) =>
      `À côté, ${formatCount(spins, "participation", "participations")} sans avis : ${formatCount(wins, "gain", "gains")}, ${formatCount(uses, "code utilisé", "codes utilisés")}.`,
    withoutPoints: (share: string) =>
      `Les gains en points n'ont pas de code : sans eux, ${share} de tous les gains sont utilisés.`,
    /** Why a step is larger than the one before. */
    more: {
      reviews: "plus que de scans : un téléphone peut servir à plusieurs",
      spins: "avec des avis d'avant ces jours",
      wins: "",
      redemptions: "avec des gains d'avant ces jours",
    },
    steps: {
      scans: "Scans",
      reviews: "Avis",
      spins: "Participations",
      wins: "Gains",
      redemptions: "Rédemptions",
    },
  },
} as const;
