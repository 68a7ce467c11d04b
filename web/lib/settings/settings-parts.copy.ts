/** Titles of the parts of the settings, in their menu, on their cards and in the command palette. */
export const settingsPartsCopy = {
  organization: "Organisation",
  stores: "Magasins & Établissements",
  team: "Équipe",
  roles: "Rôles personnalisés",
  notifications: "Notifications",
  subscription: "Abonnement",
  brand: "Logo et couleur",
  audit: "Journal d'activité",
  api: "Clés d'API",
  data: "Vos données",
} as const;
