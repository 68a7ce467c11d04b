import type { Wording } from "#domain/text/wording.ts";
import type { keptCopy as french } from "./kept-prizes.copy.ts";

/** Italian of the prizes that wait on this phone. */
export const keptCopy = {
  title: "Il tuo premio ti aspetta",
  show: "Mostra il codice",
  hide: "Nascondi il codice",
  drop: "È stato usato, toglilo da qui",
} satisfies Wording<typeof french>;
