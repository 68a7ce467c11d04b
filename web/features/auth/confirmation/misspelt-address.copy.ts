/** French of the question about an address to which the confirmation may never come. */
export const misspeltAddressCopy = {
  question: (address: string) => `Vouliez-vous dire ${address} ?`,
  correct: "Corriger l'adresse",
} as const;
