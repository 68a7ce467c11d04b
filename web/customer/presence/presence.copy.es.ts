import type { Wording } from "#domain/text/wording.ts";
import type { presenceCopy as french } from "./presence.copy.ts";

/** Spanish of the proof that somebody is in the store. */
export const presenceCopy = {
  title: "¿Estás en la tienda?",
  submit: "Confirmar y girar la ruleta",
  empty: "Indícalo para girar la ruleta.",
  kinds: {
    turning: {
      label: "Código que se ve en caja",
      hint: "Seis cifras que cambian cada 30 segundos. No se pide ninguna compra.",
    },
    word: {
      label: "Palabra del día",
      hint: "Está a la vista en el mostrador. No se pide ninguna compra.",
    },
    receipt: {
      label: "Últimas 4 cifras de tu tique",
      hint: "Sin compra, el equipo te da cuatro si las pides.",
    },
  },
  scanned: "Anotado: estás en la tienda.",
  notScanned: "Este código ha cambiado. Escanea de nuevo la pantalla de la caja.",
} satisfies Wording<typeof french>;
