/** French of the review page after its first step. */
export const reviewCopy = {
  rating: {
    title: "Comment s'est passée votre visite\u00a0?",
    hint: "Touchez une étoile, c'est envoyé.",
    group: "Votre note, de 1 à 5 étoiles",
    lowest: "Décevante",
    highest: "Parfaite",
    sending: "Envoi de votre avis…",
    kept: (rating: number) => `Votre note, ${rating} sur 5, est gardée ici.`,
    editDetails: "Modifier mes coordonnées",
  },
  google: {
    title: "Merci. Et si vous le disiez à tous\u00a0?",
    intro: (store: string) =>
      `Un avis public aide ${store} et ceux qui cherchent une bonne adresse. Vos chances au jeu restent les mêmes.`,
    leave: "Laisser un avis public",
    where: (host: string) => `Sur ${host}, dans un autre onglet`,
    skip: "Continuer sans avis public",
  },
  feedback: {
    title: "Qu'est-ce qui aurait pu être mieux\u00a0?",
    intro: (store: string) =>
      `${store}\u00a0: votre message va droit à l'équipe. Il n'est pas publié.`,
    label: "Votre message",
    missing: (count: number) =>
      count === 1 ? "Encore 1\u00a0caractère" : `Encore ${count}\u00a0caractères`,
    enough: "C'est bon, vous pouvez envoyer.",
    submit: "Envoyer",
  },
  ready: {
    title: "À vous de tourner la roue",
    titleResting: "Merci pour votre avis",
    saved: "Merci, votre avis est enregistré.",
    blind: "Il ne change rien à vos chances\u00a0: le hasard seul décide.",
    opened: (host: string) => `La page d'avis public, sur ${host}, s'ouvre dans un autre onglet.`,
    play: "Tourner la roue",
    leave: "Laisser un avis public",
    resting: "La roue se repose en ce moment",
    restingHint: "Revenez bientôt pour tenter votre chance.",
  },
  restart: "Nouvelle visite\u00a0? Recommencer",
} as const;
