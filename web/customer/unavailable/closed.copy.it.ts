import type { Wording } from "#domain/text/wording.ts";
import type { closedCopy as french } from "./closed.copy.ts";

/** Italian of a campaign at which nobody can play. */
export const closedCopy = {
  ended: (store) =>
    `La ruota di ${store} ha smesso di girare. Grazie a tutti quelli che hanno giocato.`,
  endedOn: (store, day) =>
    `La ruota di ${store} ha girato fino a ${day}. Grazie a tutti quelli che hanno giocato.`,
  paused: (store) => `La ruota di ${store} fa una pausa. Forse riprende presto: torna a trovarci.`,
  upcoming: (store, moment) => `La ruota di ${store} comincia a girare ${moment}. A presto.`,
  otherWheels: "Queste ruote girano in questo momento",
  allWheels: "Tutte le ruote aperte",
  prizes: "Un premio già vinto resta valido fino alla sua data.",
  myPrizes: "Ritrova i miei premi",
} satisfies Wording<typeof french>;
