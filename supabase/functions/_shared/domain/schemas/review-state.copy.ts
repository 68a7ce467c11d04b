import type { ReviewState } from "./reviews.ts";

/** The states of a review, as badges and exports name them. */
export const reviewStateCopy = {
  open: "À traiter",
  answered: "Répondu",
  closed: "Clos",
} satisfies Record<NonNullable<ReviewState>, string>;
