/** The line above every screen about a plan that is over, or soon will be. */
export const planBannerCopy = {
  keep: "Voir mon abonnement",
  ending: (day: string) =>
    `Votre abonnement s'arrête le ${day} : vos campagnes seront ensuite fermées au public.`,
  trialEnded: "Votre essai gratuit est terminé : vos campagnes sont fermées au public. ",
  trialEndsToday: "Votre essai gratuit se termine aujourd'hui.",
  trialEndsTomorrow: "Votre essai gratuit se termine demain.",
  trialEndsIn: (days: number) => `Votre essai gratuit se termine dans ${days} jours.`,
  pastDue: (day: string | null) =>
    `Votre dernier paiement n'a pas abouti. Sans règlement ${day ? `d'ici au ${day}` : "sous 8 jours"}, vos campagnes seront fermées au public.`,
  suspended:
    "Votre abonnement est suspendu, une facture reste à régler : vos campagnes sont fermées au public. ",
  closed: "Votre abonnement n'est plus actif : vos campagnes sont fermées au public. ",
  readable: (day: string | null) =>
    day
      ? `Vos données restent lisibles et exportables jusqu'au ${day}.`
      : "Vos données restent lisibles ici.",
} as const;
