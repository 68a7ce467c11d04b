/** French of the list of an organisation's campaigns. */
export const organizationCopy = {
  title: "Où êtes-vous\u00a0?",
  intro: "Choisissez votre magasin pour donner votre avis et tourner la roue.",
  none: "Aucune roue ne tourne en ce moment. Revenez bientôt.",
  until: (date: string) => `Jusqu'au ${date}`,
  pageTitle: (name: string, isSigned: boolean) => (isSigned ? `${name} – tournavis` : name),
} as const;
