import type { Wording } from "#domain/text/wording.ts";
import type { keepCopy as french } from "./keep.copy.ts";

/** German of what one can do with a prize to find it again. */
export const keepCopy = {
  pageTitle: (store) => `Meine Gewinne – ${store}`,
  title: "Meine Gewinne",
  page: "Meine Gewinne ansehen",
  play: "Zurück zum Spiel",
  none: "Auf diesem Telefon wartet kein Gewinn.",
  noneHint:
    "Woanders gewonnen oder mit den Daten des Browsers gelöscht? Der Code, den Sie per E-Mail erhalten, notiert oder fotografiert haben, gilt weiter an der Kasse.",
  offline: "Keine Verbindung: Das Folgende ist auf diesem Telefon gespeichert.",
  mailedMissing: "Den Gewinn aus dieser E-Mail gibt es nicht mehr.",
  mailedOffline: "Ohne Verbindung lässt sich der Gewinn aus der E-Mail nicht öffnen.",
  calendar: {
    action: "In den Kalender eintragen",
    file: "gewinn.ics",
    title: (prize, store) => `Letzter Tag zum Abholen von „${prize}“ – ${store}`,
    text: (code, store) => `${store}: Zeigen Sie den Code ${code} an der Kasse vor.`,
  },
  mail: {
    action: "Per E-Mail an mich senden",
    sending: "Wird gesendet…",
    sentTo: (address) => `An ${address} gesendet. Schauen Sie auch im Spam-Ordner nach.`,
    sentBefore: "Schon gesendet. Schauen Sie auch im Spam-Ordner nach.",
    address: "An welche Adresse?",
    send: "Senden",
    offline:
      "Ohne Verbindung geht die E-Mail nicht hinaus. Versuchen Sie es noch einmal, wenn sie wieder da ist.",
  },
  used: (date) => `Eingelöst am ${date}`,
  expired: "Abgelaufen",
  drop: "Hier entfernen",
} satisfies Wording<typeof french>;
