import type { verdictCopy as french } from "./verdict.copy.ts";

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
