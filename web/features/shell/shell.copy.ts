/** The layout of the back-office (specification, section 2.9), and what stands above its screens. */
export const shellCopy = {
  home: "Accueil de Tournavis",
  navigation: "Navigation principale",
  labels: {
    dashboard: "Dashboard",
    customers: "Clients",
    campaigns: "Campagnes",
    rewards: "Récompenses",
    stores: "Magasins",
    settings: "Paramètres",
  },
  plans: { free_trial: "Essai gratuit", basic: "Basic", pro: "Pro" },
  planLabel: "Votre plan",
  greeting: "Bonjour,",
  till: "Caisse",
  signOut: "Se déconnecter",
  signOutFailed: "Déconnexion impossible sans réseau. Réessayez.",
  search: "Chercher",
  searchKeys: (isApple: boolean) => (isApple ? "⌘ K" : "Ctrl K"),
  searchFailed: "La recherche ne se charge pas. Vérifiez le réseau, puis réessayez.",
  menu: "Menu",
  closeMenu: "Fermer le menu",
  skip: "Aller au contenu",
  banner: {
    pay: "Régler mon abonnement",
    trialEnded: "Votre essai gratuit est terminé : vos campagnes sont fermées au public. ",
    trialEndsToday: "Votre essai gratuit se termine aujourd'hui.",
    trialEndsTomorrow: "Votre essai gratuit se termine demain.",
    trialEndsIn: (days: number) => `Votre essai gratuit se termine dans ${days} jours.`,
    pastDue: (day: string | null) =>
      `Votre dernier paiement n'a pas abouti. Sans règlement ${day ? `d'ici au ${day}` : "sous 8 jours"}, vos campagnes seront fermées au public.`,
    suspended:
      "Votre abonnement est suspendu, une facture reste à régler : vos campagnes sont fermées au public. ",
    closed: "Votre abonnement n'est plus actif : vos campagnes sont fermées au public. ",
    readable: (day: string | null) =>
      day
        ? `Vos données restent lisibles et exportables jusqu'au ${day}.`
        : "Vos données restent lisibles ici.",
  },
} as const;
