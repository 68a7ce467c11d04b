import type { Wording } from "#domain/text/wording.ts";
import type { paperCopy as french } from "./paper.copy.ts";

/** Dutch of what is printed on posters. */
export const paperCopy = {
  welcome: "Welkom!",
  headline: "Geef je mening, draai aan het rad.",
  chance: "Waag je kans",
  scan: "Scan met je telefoon",
  smallPrint: (rules) =>
    `Gratis spel, zonder verplichting om te kopen of je mening te geven. Spelregels: ${rules}`,
  title: (store) => `Geef je mening, draai aan het rad: ${store}`,
} satisfies Wording<typeof french>;
