/** French of how a visit ends: without a prize, or with one that was won before. */
export const endingsCopy = {
  leaveReview: "Laisser un avis public",
  where: (host: string) => `Sur ${host}, dans un autre onglet`,
  againTomorrow: (day: string) => `La roue vous attend de nouveau dès demain, ${day}.`,
  again: (day: string) => `La roue vous attend de nouveau à partir du ${day}.`,
  nextVisit: "La roue vous attend à votre prochaine visite.",
  last: "Cette roue s'arrête bientôt. À très vite pour la suivante.",
  played: {
    title: "Vous avez déjà joué",
    somebodyElse: "Quelqu'un d'autre joue",
  },
  calendar: {
    action: "Me rappeler de revenir",
    file: "roue.ics",
    title: (store: string) => `Retenter ma chance – ${store}`,
    text: (address: string) => `La roue vous attend de nouveau\u00a0: ${address}`,
  },
} as const;
