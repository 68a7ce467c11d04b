import { locale } from "#domain/text/locale.copy.de.ts";
import type { Wording } from "#domain/text/wording.ts";
import type { pointsCopy as french } from "./points.copy.ts";

const number = new Intl.NumberFormat(locale);

function points(count: number): string {
  return `${number.format(count)} ${count === 1 ? "Punkt" : "Punkte"}`;
}

/** German of one's points, and of what they buy. */
export const pointsCopy = {
  title: "Ihre Punkte",
  balance: points,
  loading: "Ihre Punkte werden geladen…",
  failed: "Ihre Punkte lassen sich gerade nicht anzeigen. Sie bleiben Ihnen erhalten.",
  offline: "Keine Verbindung: Das ist Ihr Punktestand vom letzten Mal.",
  retry: "Noch einmal versuchen",
  next: (missing, reward) => `Noch ${points(missing)} bis „${reward}“.`,
  ready: (reward) => `Sie können „${reward}“ bekommen.`,
  none: "Dieses Geschäft hat noch kein Geschenk zum Eintauschen. Ihre Punkte bleiben Ihnen erhalten.",
  ends: (count, day) =>
    `${points(count)} ${count === 1 ? "ist" : "sind"} bis zum Ende des Tages einzulösen: ${day}.`,
  list: "Im Tausch gegen Ihre Punkte",
  missing: (count) => `Noch ${points(count)}`,
  soldOut: "Vergriffen",
  exchange: "Eintauschen",
  exchangeFor: (reward) => `Gegen ${reward} eintauschen`,
  ask: (cost, reward) => `${points(cost)} gegen „${reward}“ eintauschen?`,
  consequence:
    "Sie erhalten einen Code, den Sie innerhalb von 30 Tagen an der Kasse vorzeigen. Wird er nicht eingelöst, bekommen Sie Ihre Punkte zurück.",
  confirm: "Ja, eintauschen",
  cancel: "Abbrechen",
  sending: "Wird eingetauscht…",
  noAnswer: "Die Antwort kam nicht an. Versuchen Sie es noch einmal: Eingetauscht wird nur einmal.",
  anywhere: (organization) => `${organization}, in allen Geschäften`,
  nowhere: "Geschäft geschlossen",
  codes: "Ihre Tauschcodes",
  used: (day) => `Eingelöst am ${day}`,
  expired: "Abgelaufen, Punkte zurückgegeben",
} satisfies Wording<typeof french>;
