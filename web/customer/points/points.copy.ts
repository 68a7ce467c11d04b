const number = new Intl.NumberFormat("fr-FR");

function points(count: number): string {
  return `${number.format(count)}\u00a0${count < 2 ? "point" : "points"}`;
}

/** French of one's points, and of what they buy. */
export const pointsCopy = {
  title: "Vos points",
  balance: points,
  loading: "Chargement de vos points…",
  failed: "Vos points ne s'affichent pas pour l'instant. Ils restent acquis.",
  offline: "Sans connexion\u00a0: voici vos points tels qu'ils étaient la dernière fois.",
  retry: "Réessayer",
  next: (missing: number, reward: string) =>
    `Encore ${points(missing)} avant «\u00a0${reward}\u00a0».`,
  ready: (reward: string) => `Vous pouvez obtenir «\u00a0${reward}\u00a0».`,
  none: "Ce commerce n'a pas encore de cadeau à échanger. Vos points restent acquis.",
  ends: (count: number, day: string) =>
    `${points(count)} ${count < 2 ? "est à dépenser" : "sont à dépenser"} avant la fin du ${day}.`,
  list: "À échanger contre vos points",
  missing: (count: number) => `Encore ${points(count)}`,
  soldOut: "Épuisé",
  exchange: "Échanger",
  exchangeFor: (reward: string) => `Échanger contre ${reward}`,
  ask: (cost: number, reward: string) =>
    `Échanger ${points(cost)} contre «\u00a0${reward}\u00a0»\u00a0?`,
  consequence:
    "Vous recevez un code à montrer à la caisse dans les 30 jours. S'il ne sert pas, vos points vous reviennent.",
  confirm: "Oui, échanger",
  cancel: "Annuler",
  sending: "Échange en cours…",
  noAnswer: "La réponse n'est pas arrivée. Réessayez\u00a0: l'échange ne se fait qu'une fois.",
  anywhere: (organization: string) => `${organization}, dans tous ses magasins`,
  nowhere: "Magasin fermé",
  codes: "Vos échanges",
  used: (day: string) => `Utilisé le ${day}`,
  expired: "Expiré, points rendus",
} as const;
