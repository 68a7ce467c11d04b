/** Words of the demo shop that are not in its SQL file. */
export const demoCopy = {
  ownerName: "Camille Bertille",
} as const;
