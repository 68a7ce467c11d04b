import type { Wording } from "#domain/text/wording.ts";
import type { wheelCopy as french } from "./wheel.copy.ts";

/** German of the wheel page until it stops. */
export const wheelCopy = {
  pageTitle: (store) => `Das Rad – ${store}`,
  pageDescription: (store) =>
    `${store}: eine Drehung am Rad, ausgelost nach dem Zufall, ohne Kauf und ohne Pflicht zur Bewertung. Den Gewinn zeigen Sie an der Kasse vor.`,
  backToReview: "Zurück zur Bewertung",
  test: {
    title: "Testmodus",
    hint: "Was Sie eingeben, wird weder gesendet noch gespeichert, und es gibt nichts zu gewinnen.",
    realJourney: "Zur echten Seite",
  },
  name: {
    title: "Wie heißen Sie?",
    intro: "Ihr Name steht auf dem Gewinn, für die Übergabe im Geschäft.",
    label: "Ihr Name",
    submit: "Weiter",
  },
  ready: {
    title: "Das Rad gehört Ihnen",
    titleOver: "Vielleicht ein andermal",
    chance: "Allein der Zufall entscheidet, wie auch immer Sie bewerten.",
    rules: "Teilnahmebedingungen",
    spin: "Am Rad drehen",
    retry: "Noch einmal versuchen",
    editContact: "Meine Angaben ändern",
    lots: "Auf dem Rad:",
    resting: "Das Rad macht gerade Pause",
    restingHint: "Alle Drehungen sind ausgespielt. Schauen Sie bald wieder vorbei.",
  },
  spinning: { title: "Das Rad dreht sich…", wait: "Viel Glück" },
  stopped: (label) => `Das Rad ist bei „${label}“ stehen geblieben.`,
} satisfies Wording<typeof french>;
