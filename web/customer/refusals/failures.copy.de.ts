import type { Wording } from "#domain/text/wording.ts";
import type { failuresCopy as french } from "./failures.copy.ts";

/** German of what can go wrong on a phone page. */
export const failuresCopy = {
  serverFault: "Der Dienst antwortet nicht wie erwartet. Versuchen Sie es gleich noch einmal.",
  notFoundHint:
    "Es hat noch nicht begonnen oder ist vorbei. Fragen Sie an der Theke oder scannen Sie den QR-Code noch einmal.",
  waitSeconds: (seconds) =>
    seconds < 90
      ? `Versuchen Sie es in ${seconds} Sekunde${seconds > 1 ? "n" : ""} noch einmal.`
      : `Versuchen Sie es in ${Math.ceil(seconds / 60)} Minuten noch einmal.`,
} satisfies Wording<typeof french>;
