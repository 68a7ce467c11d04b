import type { Claims } from "#domain/schemas/operator.ts";

/**
 * The specification's figures and testimonials (section 1). The law asks for proof of such claims (Code de la
 * consommation, articles L121-2 and following): `shownClaims` says where they may be read.
 */
const examples: Claims = {
  figures: [
    { value: "500k+", label: "avis collectés" },
    { value: "94\u00a0%", label: "de satisfaction" },
    { value: "2000+", label: "commerces" },
  ],
  testimonials: [
    {
      text: "En un mois, nous avons reçu plus d'avis qu'en deux ans. Et les clients sourient en tournant la roue.",
      name: "Marie Lenoir",
      role: "Restaurant Le Petit Zinc",
    },
    {
      text: "Les retours privés nous ont fait changer la cuisson d'un plat. Personne ne nous l'aurait dit autrement.",
      name: "Karim Benali",
      role: "Brasserie de la Gare",
    },
    {
      text: "Cinq boutiques, cinq campagnes, un seul écran. À la caisse, valider un code prend trois secondes.",
      name: "Sophie Arnaud",
      role: "Maison Arnaud",
    },
  ],
};

/** French of what is claimed of the service, and of what anybody can check instead. */
export const proofCopy = {
  claimed: "Ils ont posé le QR code sur le comptoir",
  quoted: (text: string) => `« ${text} »`,
  examples,
  provable: {
    title: "Ce que vous pouvez vérifier",
    text: "Chaque point se contrôle, ici même ou dans votre compte.",
    draw: {
      title: "Le tirage ne voit pas la note",
      text: "Il se fait sur notre serveur, avec les chances écrites dans le règlement. Chacun peut les lire avant de tourner la roue.",
      link: "Lire un règlement",
    },
    ticket: {
      title: "Les chances, dans le règlement",
      odds: [
        { label: "Café offert", percent: 40, hue: "fill-violet" },
        { label: "Réduction 10%", percent: 25, hue: "fill-mint" },
        { label: "Dessert offert", percent: 15, hue: "fill-sun" },
        { label: "Pas de chance", percent: 20, hue: "fill-muted" },
      ],
      percent: (value: number) => `${value} %`,
      note: "Avec 5 étoiles, avec 1, ou sans avis : les mêmes.",
    },
    points: [
      {
        title: "Chaque version du règlement reste lisible",
        text: "Un lot ou une chance change ? L'ancien texte est gardé, avec ses dates.",
        link: { label: "Ce que dit la loi", href: "/en-clair#loi" },
        edge: "border-sun",
      },
      {
        title: "Aucun cookie pour vous suivre",
        text: "Ni publicité, ni mesure d'audience : ce site et les pages du jeu s'ouvrent sans bandeau.",
        link: { label: "Ce que garde un navigateur", href: "/legal/cookies" },
        edge: "border-mint",
      },
      {
        title: "L'état du service, en direct",
        text: "Pages, base de données, messages : le service dit lui-même comment il va.",
        link: { label: "Voir l'état du service", href: "/statut" },
        edge: "border-violet",
      },
      {
        title: "Vos données restent les vôtres",
        text: "Tout s'exporte en un fichier. La fiche d'un client s'efface en quelques gestes, votre compte entier aussi.",
        link: { label: "Vos droits, en détail", href: "/legal/rgpd" },
        edge: "border-sky",
      },
    ],
  },
} as const;
