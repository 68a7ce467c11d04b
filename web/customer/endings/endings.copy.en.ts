import type { Wording } from "#domain/text/wording.ts";
import type { endingsCopy as french } from "./endings.copy.ts";

/** English of how a visit ends: without a prize, or with one that was won before. */
export const endingsCopy = {
  leaveReview: "Leave a public review",
  where: (host) => `On ${host}, in another tab`,
  againTomorrow: (day) => `The wheel is waiting for you again as soon as tomorrow, ${day}.`,
  again: (day) => `The wheel is waiting for you again from ${day}.`,
  nextVisit: "The wheel is waiting for you on your next visit.",
  last: "This wheel stops soon. See you at the next one.",
  played: {
    title: "You have already played",
    somebodyElse: "Somebody else is playing",
  },
  calendar: {
    action: "Remind me to come back",
    file: "wheel.ics",
    title: (store) => `Try my luck again – ${store}`,
    text: (address) => `The wheel is waiting for you again: ${address}`,
  },
} satisfies Wording<typeof french>;
