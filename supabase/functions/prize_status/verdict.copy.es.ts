import type { verdictCopy as french } from "./verdict.copy.ts";

/** Spanish of what a winner reads of a prize that is held back or cancelled. */
export const verdictCopy: typeof french = {
  held: {
    stamp: "En comprobación",
    notice:
      "La tienda está comprobando este premio. No se ha perdido nada: guárdalo, volverá a ser válido, con otros tantos días más.",
  },
  cancelled: {
    stamp: "Anulado",
    notice:
      "La tienda ha anulado este premio tras comprobarlo. ¿Un error? Enseña este código en la caja.",
  },
};
