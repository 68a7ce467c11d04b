/** States of a campaign (specification, section 2.13). */
export const campaignBadgesCopy = {
  active: "Actif",
  inactive: "Inactif",
  scheduled: "Programmée",
  over: "Terminée",
  noPrize: "Rien à gagner",
  noPrizeText:
    "Sans récompense, la roue reste vide : active, cette campagne ne recueille que des avis.",
} as const;
