import type { Wording } from "#domain/text/wording.ts";
import type { endingsCopy as french } from "./endings.copy.ts";

/** Spanish of how a visit ends: without a prize, or with one that was won before. */
export const endingsCopy = {
  leaveReview: "Dejar una reseña pública",
  where: (host) => `En ${host}, en otra pestaña`,
  againTomorrow: (day) => `La ruleta te espera de nuevo mañana mismo, ${day}.`,
  again: (day) => `La ruleta te espera de nuevo a partir del ${day}.`,
  nextVisit: "La ruleta te espera en tu próxima visita.",
  last: "Esta ruleta se para pronto. Hasta la siguiente.",
  played: {
    title: "Ya has jugado",
    somebodyElse: "Juega otra persona",
  },
  calendar: {
    action: "Recordarme que vuelva",
    file: "ruleta.ics",
    title: (store) => `Probar suerte otra vez – ${store}`,
    text: (address) => `La ruleta te espera de nuevo: ${address}`,
  },
} satisfies Wording<typeof french>;
