/** French of what all public pages share: header and footer. */
export const siteCopy = {
  header: {
    home: "Tournavis, accueil",
    menu: "Navigation du site",
    open: "Menu",
    dashboard: "Tableau de bord",
    features: "Fonctionnalités",
    pricing: "Tarifs",
    signIn: "Se connecter",
    start: "Essai gratuit",
  },
  footer: {
    tagline: "La roue qui fait parler de votre commerce.",
    columns: [
      {
        title: "Produit",
        links: [
          { label: "Fonctionnalités", href: "/#fonctionnalites" },
          { label: "Tarifs", href: "/pricing" },
          { label: "Intégrations", href: "/docs/api" },
          { label: "API", href: "/docs/api" },
        ],
      },
      {
        title: "Ressources",
        links: [
          { label: "Documentation", href: "/docs/api" },
          { label: "Guides", href: "/#etapes" },
          { label: "Contact", href: "/contact" },
          { label: "Statut", href: "/statut" },
        ],
      },
      {
        title: "Légal",
        links: [
          { label: "Conditions d'utilisation", href: "/legal/terms" },
          { label: "Confidentialité", href: "/legal/privacy" },
          { label: "Cookies", href: "/legal/cookies" },
          { label: "RGPD", href: "/legal/rgpd" },
        ],
      },
    ],
    rights: "© Tournavis",
    runBy: (company: string) => `Tournavis est un service de ${company}`,
    noCookies: "Ce site ne pose aucun cookie.",
  },
} as const;
