import type { verdictCopy as french } from "./verdict.copy.ts";

/** German of what a winner reads of a prize that is held back or cancelled. */
export const verdictCopy: typeof french = {
  held: {
    stamp: "In Prüfung",
    notice:
      "Das Geschäft prüft diesen Gewinn. Nichts ist verloren: Bewahren Sie ihn auf, er gilt danach wieder, um ebenso viele Tage länger.",
  },
  cancelled: {
    stamp: "Storniert",
    notice:
      "Das Geschäft hat diesen Gewinn nach einer Prüfung storniert. Ein Irrtum? Zeigen Sie diesen Code an der Kasse.",
  },
};
