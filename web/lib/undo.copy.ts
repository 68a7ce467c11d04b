/** Taking back that a code was used: at the till, and in the list of a reward's codes. */
export const undoCopy = {
  action: "Annuler la validation",
  problems: {
    TV041: "Cette validation a déjà été annulée.",
    TV042: "Trop tard : une validation s'annule dans les 10 minutes.",
  },
} as const;
