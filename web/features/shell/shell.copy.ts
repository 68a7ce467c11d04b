import { planNames } from "../../lib/plan-names.copy.ts";
/** The layout of the back-office (specification, section 2.9), and what stands above its screens. */
export const shellCopy = {
  home: "Accueil de Tournavis",
  navigation: "Navigation principale",
  labels: {
    dashboard: "Dashboard",
    customers: "Clients",
    reviews: "Avis",
    campaigns: "Campagnes",
    rewards: "Récompenses",
    stores: "Magasins",
    settings: "Paramètres",
    till: "Caisse",
  },
  plans: planNames,
  planLabel: "Votre plan",
  greeting: "Bonjour,",
  signOut: "Se déconnecter",
  signOutFailed: "Déconnexion impossible sans réseau. Réessayez.",
  search: "Chercher",
  searchKeys: (isApple: boolean) => (isApple ? "⌘ K" : "Ctrl K"),
  searchFailed: "La recherche ne se charge pas. Vérifiez le réseau, puis réessayez.",
  menu: "Menu",
  closeMenu: "Fermer le menu",
  skip: "Aller au contenu",
} as const;
