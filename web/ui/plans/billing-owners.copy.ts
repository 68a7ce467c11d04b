/** Ways to mend a subscription: for whoever may manage it, and for everybody else. */
export const billingOwnersCopy = {
  ask: "Prévenez le propriétaire ou un administrateur : eux seuls peuvent gérer l'abonnement.",
  pay: "Régler mon abonnement",
} as const;
