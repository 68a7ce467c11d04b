import type { Wording } from "#domain/text/wording.ts";
import type { closedCopy as french } from "./closed.copy.ts";

/** German of a campaign at which nobody can play. */
export const closedCopy = {
  ended: (store) =>
    `${store}: Das Rad dreht sich nicht mehr. Danke an alle, die mitgespielt haben.`,
  endedOn: (store, day) =>
    `${store}: Das Rad hat sich bis ${day} gedreht. Danke an alle, die mitgespielt haben.`,
  paused: (store) =>
    `${store}: Das Rad macht eine Pause. Vielleicht geht es bald weiter: Schauen Sie wieder vorbei.`,
  upcoming: (store, moment) => `${store}: Das Rad dreht sich ab ${moment}. Bis bald.`,
  otherWheels: "Diese Räder drehen sich gerade",
  allWheels: "Alle offenen Räder",
  prizes: "Ein bereits gewonnener Preis bleibt bis zu seinem Datum gültig.",
  myPrizes: "Meine Gewinne",
} satisfies Wording<typeof french>;
