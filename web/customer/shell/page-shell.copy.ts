/** French around the steps: whose wheel it is, its rules, and what becomes of data. */
export const shellCopy = {
  language: "fr",
  switchLanguage: "Langue de la page\u00a0:",
  poweredBy: "Une roue",
  rules: {
    title: "Comment ça marche",
    points: [
      "Le hasard seul décide\u00a0: le tirage se fait au moment où vous lancez la roue, et la roue s'arrête sur ce qu'il a donné.",
      "Aucun achat n'est demandé, et aucun avis non plus\u00a0: on peut jouer sans en donner.",
      "Vos chances sont les mêmes avec 1\u00a0étoile, avec 5, ou sans avis.",
      "Les parts dessinées ont toutes la même taille\u00a0; les chances de chaque lot sont fixées par l'organisateur.",
    ],
    pointsEnd: {
      after: (days: number) =>
        `Les points gagnés sont à dépenser dans les ${days}\u00a0jour${days === 1 ? "" : "s"} qui suivent le gain.`,
      never: "Les points gagnés n'expirent pas.",
      byPrize: "Le règlement dit, pour chaque lot, jusqu'à quand ses points se dépensent.",
    },
    organizer: (name: string) => `Jeu organisé par ${name}.`,
    full: "Règlement complet du jeu",
  },
  privacy: {
    title: "Vos données",
    policy: "Politique de confidentialité",
    points: (organizer: string) => [
      `${organizer} reçoit vos coordonnées pour enregistrer votre avis et votre gain, et vous le rappeler une fois avant qu'il n'expire. Sans votre accord, elles ne servent à aucune publicité.`,
      "Elles sont effacées au plus tard après 3\u00a0ans.",
      "Pour que chacun joue à égalité, une empreinte chiffrée de cet appareil est gardée 13\u00a0mois, et ne sert qu'à cela.",
      `Pour consulter, corriger ou effacer vos données, adressez-vous à l'organisateur\u00a0: ${organizer}.`,
    ],
  },
} as const;
