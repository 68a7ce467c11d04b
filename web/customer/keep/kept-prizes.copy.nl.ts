import type { Wording } from "#domain/text/wording.ts";
import type { keptCopy as french } from "./kept-prizes.copy.ts";

/** Dutch of the prizes that wait on this phone. */
export const keptCopy = {
  title: "Je prijs wacht op je",
  show: "Code tonen",
  hide: "Code verbergen",
  drop: "Gebruikt, hier verwijderen",
} satisfies Wording<typeof french>;
