import type { Wording } from "#domain/text/wording.ts";
import type { closedCopy as french } from "./closed.copy.ts";

/** Italian of a campaign at which nobody can play. */
export const closedCopy = {
  ended: (store) =>
    `${store}: la ruota ha smesso di girare. Grazie a tutti quelli che hanno giocato.`,
  endedOn: (store, day) =>
    `${store}: la ruota ha girato fino a ${day}. Grazie a tutti quelli che hanno giocato.`,
  paused: (store) => `${store}: la ruota fa una pausa. Forse riprende presto: torna a trovarci.`,
  upcoming: (store, moment) => `${store}: la ruota comincia a girare ${moment}. A presto.`,
  otherWheels: "Queste ruote girano in questo momento",
  allWheels: "Tutte le ruote aperte",
  prizes: "Un premio già vinto resta valido fino alla sua data.",
  myPrizes: "Ritrova i miei premi",
} satisfies Wording<typeof french>;
