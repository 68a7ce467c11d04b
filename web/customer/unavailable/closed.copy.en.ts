import type { Wording } from "#domain/text/wording.ts";
import type { closedCopy as french } from "./closed.copy.ts";

/** English of a campaign at which nobody can play. */
export const closedCopy = {
  ended: (store) => `The wheel of ${store} has stopped spinning. Thank you to everyone who played.`,
  endedOn: (store, day) =>
    `The wheel of ${store} was spinning until ${day}. Thank you to everyone who played.`,
  paused: (store) => `The wheel of ${store} is taking a break. It may be back soon: drop by again.`,
  upcoming: (store, moment) => `The wheel of ${store} starts spinning on ${moment}. See you soon.`,
  otherWheels: "These wheels are spinning right now",
  allWheels: "All open wheels",
  prizes: "A prize you have already won stays valid until its date.",
  myPrizes: "Find my prizes",
} satisfies Wording<typeof french>;
