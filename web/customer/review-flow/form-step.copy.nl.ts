import { consentWording } from "#domain/rules/consent.copy.nl.ts";
import type { Wording } from "#domain/text/wording.ts";
import type { formCopy as french } from "./form-step.copy.ts";

/** Dutch of the first step of the review page. */
export const formCopy = {
  pageTitle: (store) => `Je beoordeling – ${store}`,
  pageDescription: (store) =>
    `Geef in een minuut je mening over ${store} en draai dan aan het rad: het toeval beslist, zonder aankoop en wat je cijfer ook is.`,
  star: (rating) => `${rating} van 5`,
  title: "Geef je mening, draai aan het rad.",
  titleResting: "Geef je mening.",
  resting: "Het rad rust even uit",
  restingHint: "Je mening blijft welkom.",
  firstName: "Voornaam",
  lastName: "Achternaam",
  contact: "Bereik me via",
  byEmail: "E-mail",
  byPhone: "Telefoon",
  consent: consentWording,
  submit: "Verder",
  withoutReview: "Meedoen zonder beoordeling",
} satisfies Wording<typeof french>;
