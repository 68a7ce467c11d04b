import type { verdictCopy as french, placeCopy as frenchPlace } from "./verdict.copy.ts";

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

/** German of where a prize is taken whose own store is no longer in use. */
export const placeCopy: typeof frenchPlace = {
  anywhere: (organization) => `${organization}, in allen Geschäften`,
  nowhere: {
    stamp: "Geschäft geschlossen",
    notice: (organization) =>
      `Kein Geschäft gibt diesen Gewinn mehr aus. Eine Frage? Wenden Sie sich an ${organization}.`,
  },
};
