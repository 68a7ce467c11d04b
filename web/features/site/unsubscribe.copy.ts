/** The page behind « no more of these mails » (`/unsubscribe`). */
export const unsubscribeCopy = {
  title: "Se désabonner",
  ask: {
    alert: "Ne plus recevoir d'alerte quand un client laisse 3 étoiles ou moins ?",
    summary: "Ne plus recevoir le résumé de vos chiffres ?",
    report: "Ne plus recevoir le rapport mensuel ?",
  },
  confirm: "Confirmer",
  doneTitle: "C'est fait",
  done: "Vous ne recevrez plus ces messages. Vous pouvez les réactiver à tout moment dans les paramètres.",
  badTitle: "Lien incomplet",
  bad: "Ouvrez de nouveau le lien du message, ou changez vos choix dans les paramètres.",
  failed: "Votre choix n'a pas pu être enregistré. Réessayez.",
  settings: "Ouvrir les paramètres",
} as const;
