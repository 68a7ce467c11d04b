import type { Wording } from "#domain/text/wording.ts";
import type { datesCopy as french } from "./dates.copy.ts";

/** English between a day and a time. */
export const datesCopy = {
  dayAndTime: (day, time) => `${day} at ${time}`,
} satisfies Wording<typeof french>;
