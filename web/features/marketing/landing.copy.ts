/** French of the landing page (specification, sections 1 and 2.2). */
export const landingCopy = {
  title: "Collectez des avis, offrez un tour de roue",
  header: {
    home: "Tournavis, accueil",
    menu: "Navigation du site",
    features: "Fonctionnalités",
    pricing: "Tarifs",
    signIn: "Se connecter",
    start: "Essai gratuit",
  },
  hero: {
    title: "Chaque avis mérite un tour de roue.",
    text: "Vos clients scannent un QR code, donnent leur avis et tournent la roue. Leur gain les attend à votre caisse.",
    pricing: "Commencer gratuitement",
    demo: "Voir la démonstration",
    trial: "14\u00a0jours d'essai, sans carte bancaire",
  },
  wheel: {
    label: "Roue d'essai",
    spin: "Tourner la roue",
    again: "Tourner encore",
    turning: "La roue tourne…",
    won: (label: string) => `« ${label} »\u00a0: voilà ce que verrait votre client.`,
    note: "Un essai pour de rire\u00a0: rien n'est enregistré.",
  },
  steps: {
    title: "Trois gestes, et c'est fait",
    list: [
      {
        title: "Scanner le QR code",
        text: "Posé sur la table, à la caisse ou sur le ticket. Aucune application à installer.",
      },
      {
        title: "Noter, puis aller à la page d'avis",
        text: "De 1 à 5\u00a0étoiles. Votre page d'avis publique est proposée à chacun, content ou non.",
      },
      {
        title: "Tourner la roue",
        text: "Le hasard choisit le gain. Le code se montre à la caisse, et vos clients reviennent.",
      },
    ],
  },
  features: {
    title: "Tout ce qu'il faut pour faire parler de vous",
    list: [
      {
        icon: "shield",
        title: "Conforme aux règles des avis",
        text: "Chaque client peut laisser un avis public, positif ou négatif. La roue ne regarde pas la note.",
      },
      {
        icon: "chart",
        title: "Des chiffres qui parlent",
        text: "Taux de conversion, satisfaction, part d'avis 5\u00a0étoiles, retour sur investissement de chaque campagne.",
      },
      {
        icon: "wheel",
        title: "Une roue à votre image",
        text: "Parts, couleurs, probabilités, et un stock tenu à jour à chaque tour.",
      },
      {
        icon: "store",
        title: "Plusieurs magasins, une équipe",
        text: "Des campagnes indépendantes par établissement, et à chacun son rôle, jusqu'à la caisse.",
      },
      {
        icon: "message",
        title: "Les déçus vous parlent en privé",
        text: "Un client mécontent peut vous dire pourquoi, et vous savez quoi améliorer.",
      },
      {
        icon: "lock",
        title: "Un jeu équitable",
        text: "Empreinte de l'appareil, limites par personne, comportements suspects\u00a0: chacun joue à égalité.",
      },
    ],
  },
  compliance: {
    title: "« Conforme », en clair",
    points: [
      "On peut jouer sans donner d'avis.",
      "Les chances sont les mêmes avec 1\u00a0étoile, avec 5, ou sans avis.",
      "Personne n'est écarté de la page d'avis publique.",
    ],
    text: "C'est ce que demandent la loi française et les plateformes d'avis. Le mode conforme est celui par défaut\u00a0; l'autre mode dit clairement ce qu'il risque.",
  },
  proof: { title: "Ils ont posé le QR code sur le comptoir" },
  closing: {
    title: "Votre première campagne, dans cinq minutes",
    text: "Un magasin, une récompense, un QR code à imprimer.",
    start: "Commencer l'essai gratuit",
    demo: "Planifier une démo",
  },
  footer: {
    tagline: "La roue qui fait parler de votre commerce.",
    soon: "bientôt",
    columns: [
      {
        title: "Produit",
        links: [
          { label: "Fonctionnalités", to: "#fonctionnalites" },
          { label: "Tarifs", to: "/pricing" },
          { label: "Intégrations", to: null },
          { label: "API", to: null },
        ],
      },
      {
        title: "Ressources",
        links: [
          { label: "Documentation", to: null },
          { label: "Guides", to: null },
          { label: "Contact", to: null },
          { label: "Statut", to: null },
        ],
      },
      {
        title: "Légal",
        links: [
          { label: "Conditions d'utilisation", to: "/legal/terms" },
          { label: "Confidentialité", to: "/legal/privacy" },
          { label: "Cookies", to: null },
          { label: "RGPD", to: null },
        ],
      },
    ],
    rights: (year: number) => `© ${year} Tournavis`,
  },
} as const;
