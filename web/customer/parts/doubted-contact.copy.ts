/** French of the questions about an address or a number that looks misspelt. */
export const doubtedContactCopy = {
  email: (domain: string) => `Vouliez-vous dire ${domain}\u00a0?`,
  correct: "Oui, corriger",
  otherwise: "Sinon, continuez\u00a0: l'adresse reste telle quelle.",
  phone:
    "Ce numéro a-t-il tous ses chiffres\u00a0? Hors de France, commencez par + et l'indicatif du pays.",
  rightPhone: "S'il est juste, continuez.",
} as const;
