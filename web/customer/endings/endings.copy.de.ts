import type { Wording } from "#domain/text/wording.ts";
import type { endingsCopy as french } from "./endings.copy.ts";

/** German of how a visit ends: without a prize, or with one that was won before. */
export const endingsCopy = {
  leaveReview: "Öffentlich bewerten",
  where: (host) => `Auf ${host}, in einem anderen Tab`,
  againTomorrow: (day) => `Das Rad wartet schon morgen wieder auf Sie: ${day}.`,
  again: (day) => `Das Rad wartet wieder auf Sie ab ${day}.`,
  nextVisit: "Das Rad wartet bei Ihrem nächsten Besuch auf Sie.",
  last: "Dieses Rad hört bald auf. Bis zum nächsten.",
  played: {
    title: "Sie haben schon gespielt",
    somebodyElse: "Jemand anderes spielt",
  },
  calendar: {
    action: "An den nächsten Besuch erinnern",
    file: "rad.ics",
    title: (store) => `Noch einmal Glück versuchen – ${store}`,
    text: (address) => `Das Rad wartet wieder auf Sie: ${address}`,
  },
} satisfies Wording<typeof french>;
