/** States of a campaign (specification, section 2.13). */
export const campaignBadgesCopy = {
  active: "Actif",
  inactive: "Inactif",
  scheduled: "Programmée",
  over: "Terminée",
} as const;
