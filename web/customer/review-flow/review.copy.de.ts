import type { Wording } from "#domain/text/wording.ts";
import type { reviewCopy as french } from "./review.copy.ts";

/** German of the review page after its first step. */
export const reviewCopy = {
  rating: {
    title: "Wie war Ihr Besuch?",
    hint: "Tippen Sie auf einen Stern, und schon ist es gesendet.",
    group: "Ihre Note, von 1 bis 5 Sternen",
    lowest: "Enttäuschend",
    highest: "Perfekt",
    sending: "Ihre Bewertung wird gesendet…",
    kept: (rating) => `Ihre Note, ${rating} von 5, ist hier gespeichert.`,
    editDetails: "Meine Angaben ändern",
  },
  google: {
    title: "Danke. Möchten Sie es allen sagen?",
    intro: (store) =>
      `Eine öffentliche Bewertung hilft ${store} und allen, die eine gute Adresse suchen. Ihre Chancen im Spiel bleiben gleich.`,
    leave: "Öffentlich bewerten",
    where: (host) => `Auf ${host}, in einem anderen Tab`,
    skip: "Ohne öffentliche Bewertung weiter",
  },
  feedback: {
    title: "Was hätte besser sein können?",
    intro: (store) =>
      `${store}: Ihre Nachricht geht direkt an das Team. Sie wird nicht veröffentlicht.`,
    label: "Ihre Nachricht",
    missing: (count) => `Noch ${count} Zeichen`,
    enough: "Das reicht, Sie können senden.",
    submit: "Senden",
  },
  ready: {
    title: "Jetzt drehen Sie am Rad",
    titleResting: "Danke für Ihre Bewertung",
    saved: "Danke, Ihre Bewertung ist gespeichert.",
    blind: "Sie ändert nichts an Ihren Chancen: Allein der Zufall entscheidet.",
    opened: (host) =>
      `Die Seite für öffentliche Bewertungen auf ${host} öffnet sich in einem anderen Tab.`,
    play: "Am Rad drehen",
    leave: "Öffentlich bewerten",
    resting: "Das Rad macht gerade Pause",
    restingHint: "Schauen Sie bald wieder vorbei und versuchen Sie Ihr Glück.",
  },
  restart: "Neuer Besuch? Von vorn beginnen",
} satisfies Wording<typeof french>;
