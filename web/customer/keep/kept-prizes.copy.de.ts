import type { Wording } from "#domain/text/wording.ts";
import type { keptCopy as french } from "./kept-prizes.copy.ts";

/** German of the prizes that wait on this phone. */
export const keptCopy = {
  title: "Ihr Gewinn wartet auf Sie",
  show: "Code anzeigen",
  hide: "Code verbergen",
  drop: "Eingelöst, hier entfernen",
} satisfies Wording<typeof french>;
