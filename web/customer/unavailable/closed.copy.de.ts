import type { Wording } from "#domain/text/wording.ts";
import type { closedCopy as french } from "./closed.copy.ts";

/** German of a campaign at which nobody can play. */
export const closedCopy = {
  ended: (store) =>
    `Das Rad von ${store} dreht sich nicht mehr. Danke an alle, die mitgespielt haben.`,
  endedOn: (store, day) =>
    `Das Rad von ${store} hat sich bis ${day} gedreht. Danke an alle, die mitgespielt haben.`,
  paused: (store) =>
    `Das Rad von ${store} macht eine Pause. Vielleicht geht es bald weiter: Schauen Sie wieder vorbei.`,
  upcoming: (store, moment) => `Das Rad von ${store} dreht sich ab ${moment}. Bis bald.`,
  otherWheels: "Diese Räder drehen sich gerade",
  allWheels: "Alle offenen Räder",
  prizes: "Ein bereits gewonnener Preis bleibt bis zu seinem Datum gültig.",
  myPrizes: "Meine Gewinne",
} satisfies Wording<typeof french>;
