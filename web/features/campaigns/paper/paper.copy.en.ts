import type { Wording } from "#domain/text/wording.ts";
import type { paperCopy as french } from "./paper.copy.ts";

/** English of what is printed on posters. */
export const paperCopy = {
  welcome: "Welcome!",
  headline: "Leave a review, spin the wheel.",
  chance: "Try your luck",
  scan: "Scan with your phone",
  smallPrint: (rules) => `Free game, no purchase or review required. Rules: ${rules}`,
  title: (store) => `Leave a review, spin the wheel: ${store}`,
} satisfies Wording<typeof french>;
