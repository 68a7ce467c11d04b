import { consentWording } from "#domain/rules/consent.copy.de.ts";
import type { Wording } from "#domain/text/wording.ts";
import type { formCopy as french } from "./form-step.copy.ts";

/** German of the first step of the review page. */
export const formCopy = {
  pageTitle: (store) => `Ihre Bewertung – ${store}`,
  pageDescription: (store) =>
    `Bewerten Sie ${store} in einer Minute und drehen Sie dann am Rad: Der Zufall entscheidet, ohne Kauf und unabhängig von Ihrer Note.`,
  star: (rating) => `${rating} von 5`,
  title: "Bewerten Sie, drehen Sie am Rad.",
  titleResting: "Geben Sie Ihre Bewertung ab.",
  resting: "Das Rad macht gerade Pause",
  restingHint: "Ihre Bewertung ist trotzdem willkommen.",
  firstName: "Vorname",
  lastName: "Nachname",
  contact: "So erreichen wir Sie",
  byEmail: "E-Mail",
  byPhone: "Telefon",
  consent: consentWording,
  submit: "Weiter",
  withoutReview: "Ohne Bewertung teilnehmen",
} satisfies Wording<typeof french>;
