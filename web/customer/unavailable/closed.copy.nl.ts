import type { Wording } from "#domain/text/wording.ts";
import type { closedCopy as french } from "./closed.copy.ts";

/** Dutch of a campaign at which nobody can play. */
export const closedCopy = {
  ended: (store) => `Het rad van ${store} draait niet meer. Bedankt aan iedereen die meespeelde.`,
  endedOn: (store, day) =>
    `Het rad van ${store} draaide tot en met ${day}. Bedankt aan iedereen die meespeelde.`,
  paused: (store) =>
    `Het rad van ${store} neemt pauze. Misschien draait het snel weer: kom nog eens langs.`,
  upcoming: (store, moment) => `Het rad van ${store} begint te draaien op ${moment}. Tot snel.`,
  otherWheels: "Deze raderen draaien nu",
  allWheels: "Alle open raderen",
  prizes: "Een al gewonnen prijs blijft geldig tot zijn datum.",
  myPrizes: "Mijn prijzen terugvinden",
} satisfies Wording<typeof french>;
