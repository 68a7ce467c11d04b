import type { Wording } from "#domain/text/wording.ts";
import type { keptCopy as french } from "./kept-prizes.copy.ts";

/** Spanish of the prizes that wait on this phone. */
export const keptCopy = {
  title: "Tu premio te espera",
  show: "Ver el código",
  hide: "Ocultar el código",
  drop: "Ya está usado, quitarlo de aquí",
} satisfies Wording<typeof french>;
