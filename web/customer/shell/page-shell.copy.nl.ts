import type { Wording } from "#domain/text/wording.ts";
import type { shellCopy as french } from "./page-shell.copy.ts";

/** Dutch around the steps: whose wheel it is, its rules, and what becomes of data. */
export const shellCopy = {
  language: "nl",
  switchLanguage: "Taal van de pagina:",
  poweredBy: "Een rad van",
  rules: {
    title: "Zo werkt het",
    points: [
      "Alleen het toeval beslist: er wordt geloot op het moment dat je aan het rad draait, en het rad stopt op de uitkomst.",
      "Er is geen aankoop nodig en ook geen beoordeling: je kunt zonder meespelen.",
      "Je kansen zijn dezelfde met 1 ster, met 5 of zonder beoordeling.",
      "Alle vakken zijn even groot getekend; de organisator bepaalt de kansen van elke prijs.",
    ],
    pointsEnd: {
      after: (days) =>
        `Gewonnen punten zijn te besteden binnen ${days} dag${days === 1 ? "" : "en"} na het winnen.`,
      never: "Gewonnen punten verlopen niet.",
      byPrize: "De spelregels zeggen voor elke prijs tot wanneer de punten te besteden zijn.",
    },
    organizer: (name) => `Spel georganiseerd door ${name}.`,
    full: "Volledige spelregels",
  },
  privacy: {
    title: "Je gegevens",
    policy: "Privacybeleid (in het Frans)",
    points: (organizer) => [
      `${organizer} ontvangt je gegevens om je beoordeling en je prijs vast te leggen en je er één keer aan te herinneren voordat hij verloopt. Zonder jouw toestemming worden ze voor geen enkele reclame gebruikt.`,
      "Ze worden uiterlijk na 3 jaar gewist.",
      "Om iedereen gelijke kansen te geven, wordt een versleutelde vingerafdruk van dit toestel 13 maanden bewaard, en alleen daarvoor gebruikt.",
      `Om je gegevens in te zien, te verbeteren of te wissen, richt je je tot ${organizer}.`,
    ],
  },
} satisfies Wording<typeof french>;
