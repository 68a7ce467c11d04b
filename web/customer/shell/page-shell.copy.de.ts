import type { Wording } from "#domain/text/wording.ts";
import type { shellCopy as french } from "./page-shell.copy.ts";

/** German around the steps: whose wheel it is, its rules, and what becomes of data. */
export const shellCopy = {
  language: "de",
  switchLanguage: "Sprache der Seite:",
  poweredBy: "Ein Rad von",
  rules: {
    title: "So funktioniert es",
    points: [
      "Allein der Zufall entscheidet: Ausgelost wird in dem Moment, in dem Sie am Rad drehen, und das Rad bleibt beim Ergebnis stehen.",
      "Ein Kauf ist nicht nötig, eine Bewertung auch nicht: Sie können ohne mitspielen.",
      "Ihre Chancen sind mit 1 Stern, mit 5 oder ohne Bewertung gleich.",
      "Alle Felder sind gleich groß gezeichnet; die Chancen jedes Preises legt der Veranstalter fest.",
    ],
    pointsEnd: {
      after: (days) =>
        `Gewonnene Punkte sind innerhalb von ${days} Tag${days === 1 ? "" : "en"} nach dem Gewinn einzulösen.`,
      never: "Gewonnene Punkte verfallen nicht.",
      byPrize:
        "Die Teilnahmebedingungen sagen für jeden Preis, bis wann seine Punkte einzulösen sind.",
    },
    organizer: (name) => `Veranstalter des Spiels: ${name}.`,
    full: "Vollständige Teilnahmebedingungen",
  },
  privacy: {
    title: "Ihre Daten",
    policy: "Datenschutzerklärung (auf Französisch)",
    points: (organizer) => [
      `${organizer} erhält Ihre Angaben, um Ihre Bewertung und Ihren Gewinn zu speichern und Sie einmal vor dessen Ablauf daran zu erinnern. Ohne Ihre Einwilligung dienen sie keiner Werbung.`,
      "Sie werden spätestens nach 3 Jahren gelöscht.",
      "Damit alle gleiche Chancen haben, wird ein verschlüsselter Fingerabdruck dieses Geräts 13 Monate lang gespeichert und nur dafür verwendet.",
      `Um Ihre Daten einzusehen, zu berichtigen oder zu löschen, wenden Sie sich an den Veranstalter: ${organizer}.`,
    ],
  },
} satisfies Wording<typeof french>;
