/** French of the wheel page until it stops. */
export const wheelCopy = {
  pageTitle: (store: string) => `La roue – ${store}`,
  pageDescription: (store: string) =>
    `${store}\u00a0: un tour de roue tiré au hasard, sans achat ni avis obligatoire. Le gain se montre à la caisse.`,
  backToReview: "Retour à l'avis",
  test: {
    title: "Mode test",
    hint: "Ce que vous écrivez n'est ni envoyé ni gardé, et il n'y a rien à gagner.",
    realJourney: "Passer au vrai parcours",
  },
  name: {
    title: "Comment vous appelez-vous\u00a0?",
    intro: "Votre nom figure sur le gain, pour la remise en magasin.",
    label: "Votre nom",
    submit: "Continuer",
  },
  ready: {
    title: "La roue est à vous",
    titleOver: "Ce sera pour une autre fois",
    chance: "Le hasard seul décide, quel que soit votre avis.",
    rules: "Règlement",
    spin: "Lancer la roue",
    retry: "Réessayer",
    editContact: "Modifier mes coordonnées",
    lots: "Sur la roue\u00a0:",
    resting: "La roue se repose en ce moment",
    restingHint: "Tous les tours du mois ont été joués. Revenez bientôt.",
  },
  spinning: { title: "La roue tourne…", wait: "Bonne chance" },
  stopped: (label: string) => `La roue s'est arrêtée sur «\u00a0${label}\u00a0».`,
} as const;
