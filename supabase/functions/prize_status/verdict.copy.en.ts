import type { verdictCopy as french, placeCopy as frenchPlace } from "./verdict.copy.ts";

/** English of what a winner reads of a prize that is held back or cancelled. */
export const verdictCopy: typeof french = {
  held: {
    stamp: "Being checked",
    notice:
      "The store is checking this prize. Nothing is lost: keep it, and it will be valid again, for as many days longer.",
  },
  cancelled: {
    stamp: "Cancelled",
    notice:
      "The store has cancelled this prize after a check. A mistake? Show this code at the till.",
  },
};

/** English of where a prize is taken whose own store is no longer in use. */
export const placeCopy: typeof frenchPlace = {
  anywhere: (organization) => `any store of ${organization}`,
  nowhere: {
    stamp: "Store closed",
    notice: (organization) =>
      `No store hands out this prize any more. A question? Please ask ${organization}.`,
  },
};
