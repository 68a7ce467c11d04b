import type { Wording } from "#domain/text/wording.ts";
import type { keptCopy as french } from "./kept-prizes.copy.ts";

/** English of the prizes that wait on this phone. */
export const keptCopy = {
  title: "Your prize is waiting",
  show: "Show the code",
  hide: "Hide the code",
  drop: "It has been used, remove it from here",
} satisfies Wording<typeof french>;
