import type { Wording } from "#domain/text/wording.ts";
import type { paperCopy as french } from "./paper.copy.ts";

/** German of what is printed on posters. */
export const paperCopy = {
  welcome: "Willkommen!",
  headline: "Bewerten Sie uns, drehen Sie am Rad.",
  chance: "Versuchen Sie Ihr Glück",
  scan: "Mit dem Handy scannen",
  smallPrint: (rules) =>
    `Kostenloses Spiel, ohne Kauf und ohne Pflicht zur Bewertung. Teilnahmebedingungen: ${rules}`,
  title: (store) => `Bewerten Sie uns, drehen Sie am Rad: ${store}`,
} satisfies Wording<typeof french>;
