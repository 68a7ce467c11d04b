/** French of what one can do with a prize to find it again. */
export const keepCopy = {
  pageTitle: (store: string) => `Mes gains – ${store}`,
  title: "Mes gains",
  page: "Retrouver mes gains",
  play: "Retour au jeu",
  none: "Aucun gain n'attend sur ce téléphone.",
  noneHint:
    "Gagné ailleurs, ou effacé avec les données du navigateur\u00a0? Le code reçu par e-mail, noté ou photographié reste valable à la caisse.",
  offline: "Sans connexion\u00a0: voici les gains gardés sur ce téléphone.",
  mailedMissing: "Le gain de cet e-mail n'existe plus.",
  mailedOffline: "Sans connexion, le gain de l'e-mail ne peut pas être ouvert.",
  calendar: {
    action: "Ajouter au calendrier",
    file: "gain.ics",
    title: (prize: string, store: string) =>
      `Dernier jour pour retirer «\u00a0${prize}\u00a0» – ${store}`,
    text: (code: string, store: string) => `${store}\u00a0: montrez le code ${code} à la caisse.`,
  },
  mail: {
    action: "Me l'envoyer par e-mail",
    sending: "Envoi en cours…",
    sentTo: (address: string) => `Envoyé à ${address}. Regardez aussi dans les indésirables.`,
    sentBefore: "C'est déjà parti. Regardez aussi dans les indésirables.",
    address: "À quelle adresse\u00a0?",
    send: "Envoyer",
    offline: "Sans connexion, l'e-mail ne part pas. Réessayez quand elle revient.",
  },
  used: (date: string) => `Utilisé le ${date}`,
  expired: "Expiré",
  drop: "Effacer de ce téléphone",
} as const;
