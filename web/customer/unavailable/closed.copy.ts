/** French of a campaign at which nobody can play, beside the specification's title. */
export const closedCopy = {
  ended: (store: string) =>
    `La roue de ${store} a fini de tourner. Merci à tous ceux qui ont joué.`,
  endedOn: (store: string, day: string) =>
    `La roue de ${store} a tourné jusqu'au ${day}. Merci à tous ceux qui ont joué.`,
  paused: (store: string) =>
    `La roue de ${store} fait une pause. Elle reprend peut-être bientôt\u00a0: repassez nous voir.`,
  upcoming: (store: string, moment: string) =>
    `La roue de ${store} commence à tourner le ${moment}. À très vite.`,
  otherWheels: "Ces roues tournent en ce moment",
  allWheels: "Toutes les roues ouvertes",
  prizes: "Un gain déjà gagné reste valable jusqu'à sa date.",
  myPrizes: "Retrouver mes gains",
} as const;
