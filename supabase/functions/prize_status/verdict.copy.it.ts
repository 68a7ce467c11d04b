import type { verdictCopy as french, placeCopy as frenchPlace } from "./verdict.copy.ts";

/** Italian of what a winner reads of a prize that is held back or cancelled. */
export const verdictCopy: typeof french = {
  held: {
    stamp: "In verifica",
    notice:
      "Il negozio sta verificando questo premio. Nulla è perduto: conservalo, tornerà valido, con altrettanti giorni in più.",
  },
  cancelled: {
    stamp: "Annullato",
    notice:
      "Il negozio ha annullato questo premio dopo una verifica. Un errore? Mostra questo codice alla cassa.",
  },
};

/** Italian of where a prize is taken whose own store is no longer in use. */
export const placeCopy: typeof frenchPlace = {
  anywhere: (organization) => `${organization}, in tutti i suoi negozi`,
  nowhere: {
    stamp: "Negozio chiuso",
    notice: (organization) =>
      `Nessun negozio consegna più questo premio. Una domanda? Rivolgiti a ${organization}.`,
  },
};
