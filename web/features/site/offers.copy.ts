/** French of the page by which a customer withdraws their consent to offers (`/unsubscribe?kind=offers`). */
export const offersCopy = {
  title: "Ne plus recevoir d'offres",
  ask: (organizer: string) =>
    `${organizer} ne pourra plus vous envoyer d'offres. Vos gains restent valables.`,
  confirm: "Retirer mon accord",
  doneTitle: "C'est fait",
  done: (organizer: string) =>
    `${organizer} ne peut plus vous envoyer d'offres. Vos gains restent valables. Pour changer d'avis, cochez de nouveau la case lors d'une prochaine visite.`,
  /** The organizer, where their name could not be asked for. */
  shop: "Ce commerce",
  gone: "Ce commerce n'utilise plus notre service : il ne garde rien de vous ici.",
  badTitle: "Lien incomplet",
  bad: "Ouvrez de nouveau le lien de l'e-mail, ou demandez au commerce de retirer votre accord.",
  failed: "Votre choix n'a pas pu être enregistré. Réessayez.",
  loading: "Un instant",
} as const;
