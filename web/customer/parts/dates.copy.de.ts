import type { Wording } from "#domain/text/wording.ts";
import type { datesCopy as french } from "./dates.copy.ts";

/** German between a day and a time. */
export const datesCopy = {
  dayAndTime: (day, time) => `${day} um ${time} Uhr`,
} satisfies Wording<typeof french>;
