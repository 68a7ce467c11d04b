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
      hint: "Copia las seis cifras que se ven en la caja. Cambian cada 30 segundos. No se pide ninguna compra.",
    },
    word: {
      label: "Palabra del día",
      hint: "Copia la palabra que se ve en el mostrador. No se pide ninguna compra.",
    },
    receipt: {
      label: "Últimas 4 cifras de tu tique",
      hint: "Sin tique, el equipo te da cuatro cifras si las pides.",
    },
  },
  scanned: "Anotado: estás en la tienda.",
  notScanned: "Este código ha cambiado. Escanea de nuevo la pantalla de la caja.",
  notSent: "Sin conexión por ahora. Escanea de nuevo la pantalla de la caja.",
} satisfies Wording<typeof french>;
