import type { verdictCopy as french } from "./verdict.copy.ts";

/** Dutch of what a winner reads of a prize that is held back or cancelled. */
export const verdictCopy: typeof french = {
  held: {
    stamp: "In controle",
    notice:
      "De winkel controleert deze prijs. Er is niets verloren: bewaar hem, hij wordt weer geldig, met evenveel dagen extra.",
  },
  cancelled: {
    stamp: "Geannuleerd",
    notice:
      "De winkel heeft deze prijs na een controle geannuleerd. Een vergissing? Laat deze code aan de kassa zien.",
  },
};
