/**
 * What the landing page claims of itself. An operator puts in its own: the law asks for proof of such
 * claims (Code de la consommation, articles L121-2 and following), and testimonials must be real.
 */
export const proofCopy = {
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
} as const;
