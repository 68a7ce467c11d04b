/** French of the question about an address that looks misspelt. */
export const doubtedEmailCopy = {
  question: (domain: string) => `Vouliez-vous dire ${domain}\u00a0?`,
  correct: "Oui, corriger",
  otherwise: "Sinon, continuez\u00a0: l'adresse reste telle quelle.",
} as const;
