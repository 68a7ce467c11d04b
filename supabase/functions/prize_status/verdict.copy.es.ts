import type { verdictCopy as french, placeCopy as frenchPlace } from "./verdict.copy.ts";

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

/** Spanish of where a prize is taken whose own store is no longer in use. */
export const placeCopy: typeof frenchPlace = {
  anywhere: (organization) => `${organization}, en todas sus tiendas`,
  nowhere: {
    stamp: "Tienda cerrada",
    notice: (organization) =>
      `Ninguna tienda entrega ya este premio. ¿Una pregunta? Dirígete a ${organization}.`,
  },
};
