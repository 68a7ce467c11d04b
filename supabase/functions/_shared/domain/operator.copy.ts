/** French about who runs the service. */
export const operatorCopy = {
  /** What a page says where the operator has said nothing. */
  missing: "[non renseigné par l'exploitant]",
} as const;
