/** States of a campaign (specification, section 2.13). */
export const campaignBadgesCopy = {
  active: "Actif",
  inactive: "Inactif",
  scheduled: "Programmée",
  over: "Terminée",
  noPrize: "Rien à gagner",
  noPrizeText:
    "Rien à gagner pour l'instant : active, cette campagne recueille des avis, mais sa roue reste vide.",
} as const;
