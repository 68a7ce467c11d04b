/** French of a campaign at which nobody can play, beside the specification's title. */
export const closedCopy = {
  ended: (store: string) =>
    `${store}\u00a0: la roue a fini de tourner. Merci à tous ceux qui ont joué.`,
  endedOn: (store: string, day: string) =>
    `${store}\u00a0: la roue a tourné jusqu'au ${day}. Merci à tous ceux qui ont joué.`,
  paused: (store: string) =>
    `${store}\u00a0: la roue fait une pause. Elle reprend peut-être bientôt\u00a0: repassez nous voir.`,
  upcoming: (store: string, moment: string) =>
    `${store}\u00a0: la roue commence à tourner le ${moment}. À très vite.`,
  otherWheels: "Ces roues tournent en ce moment",
  allWheels: "Toutes les roues ouvertes",
  prizes: "Un gain déjà obtenu reste valable jusqu'à sa date limite.",
  myPrizes: "Retrouver mes gains",
} as const;
