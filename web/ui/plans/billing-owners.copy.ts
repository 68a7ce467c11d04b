/** Said to members who may not manage what the organisation pays for. */
export const billingOwnersCopy = {
  ask: "Prévenez le propriétaire ou un administrateur : eux seuls peuvent gérer l'abonnement.",
} as const;
