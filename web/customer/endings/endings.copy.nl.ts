import type { Wording } from "#domain/text/wording.ts";
import type { endingsCopy as french } from "./endings.copy.ts";

/** Dutch of how a visit ends: without a prize, or with one that was won before. */
export const endingsCopy = {
  leaveReview: "Een openbare beoordeling geven",
  where: (host) => `Op ${host}, in een ander tabblad`,
  againTomorrow: (day) => `Het rad wacht morgen al weer op je: ${day}.`,
  again: (day) => `Het rad wacht weer op je vanaf ${day}.`,
  nextVisit: "Het rad wacht op je bij je volgende bezoek.",
  last: "Dit rad stopt binnenkort. Tot het volgende.",
  played: {
    title: "Je hebt al gespeeld",
    somebodyElse: "Iemand anders speelt",
  },
  calendar: {
    action: "Herinner me om terug te komen",
    file: "rad.ics",
    title: (store) => `Opnieuw mijn geluk beproeven – ${store}`,
    text: (address) => `Het rad wacht weer op je: ${address}`,
  },
} satisfies Wording<typeof french>;
