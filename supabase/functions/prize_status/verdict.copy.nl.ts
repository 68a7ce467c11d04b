import type { verdictCopy as french, placeCopy as frenchPlace } from "./verdict.copy.ts";

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

/** Dutch of where a prize is taken whose own store is no longer in use. */
export const placeCopy: typeof frenchPlace = {
  anywhere: (organization) => `een van de winkels van ${organization}`,
  nowhere: {
    stamp: "Winkel gesloten",
    notice: (organization) =>
      `Geen enkele winkel geeft deze prijs nog af. Een vraag? Neem contact op met ${organization}.`,
  },
};
