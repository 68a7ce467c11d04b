import { formatCount, formatNumber } from "../../../lib/format.ts";

/** Statistics of a store. */
export const storeStatsCopy = {
  title: "Statistiques du magasin",
  titleOf: (name: string) => `Statistiques : ${name}`,
  loadFailed: "Erreur lors du chargement des statistiques",
  scans: "Scans",
  reviews: "Avis collectés",
  reviewsRate: (share: string) => `${share} des scans`,
  rating: "Note moyenne",
  fiveStars: (share: string) => `${share} de 5 étoiles`,
  redemptions: "Rédemptions",
  redemptionRate: (share: string) => `${share} des gains`,
  locked:
    "Le plan Basic montre ici l'évolution jour par jour et le chemin de vos clients de la porte à la caisse.",
  campaigns: "Campagnes de ce magasin",
  noCampaign: "Aucune activité pour le moment.",
  campaignFacts: (scans: number, reviews: number) =>
    `${formatCount(scans, "scan", "scans")} · ${formatNumber(reviews)} avis`,
} as const;
