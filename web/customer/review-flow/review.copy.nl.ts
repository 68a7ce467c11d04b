import type { Wording } from "#domain/text/wording.ts";
import type { reviewCopy as french } from "./review.copy.ts";

/** Dutch of the review page after its first step. */
export const reviewCopy = {
  rating: {
    title: "Hoe was je bezoek?",
    hint: "Tik op een ster en het is verstuurd.",
    group: "Je cijfer, van 1 tot 5 sterren",
    lowest: "Teleurstellend",
    highest: "Perfect",
    sending: "Je beoordeling wordt verstuurd…",
    kept: (rating) => `Je cijfer, ${rating} van 5, is hier bewaard.`,
    editDetails: "Mijn gegevens wijzigen",
  },
  google: {
    title: "Bedankt. Wil je het iedereen vertellen?",
    intro: (store) =>
      `Een openbare beoordeling helpt ${store} en wie een goed adres zoekt. Je kansen in het spel blijven dezelfde.`,
    leave: "Een openbare beoordeling geven",
    where: (host) => `Op ${host}, in een ander tabblad`,
    skip: "Verder zonder openbare beoordeling",
  },
  feedback: {
    title: "Wat had beter gekund?",
    intro: (store) =>
      `Je bericht gaat rechtstreeks naar het team van ${store}. Het wordt niet gepubliceerd.`,
    label: "Je bericht",
    missing: (count) => (count === 1 ? "Nog 1 teken" : `Nog ${count} tekens`),
    enough: "Zo is het goed, je kunt versturen.",
    submit: "Versturen",
  },
  ready: {
    title: "Jij mag aan het rad draaien",
    titleResting: "Bedankt voor je beoordeling",
    saved: "Bedankt, je beoordeling is opgeslagen.",
    blind: "Ze verandert niets aan je kansen: alleen het toeval beslist.",
    opened: (host) => `De pagina met openbare beoordelingen op ${host} opent in een ander tabblad.`,
    play: "Aan het rad draaien",
    leave: "Een openbare beoordeling geven",
    resting: "Het rad rust even uit",
    restingHint: "Kom snel terug om je geluk te beproeven.",
  },
  restart: "Nieuw bezoek? Opnieuw beginnen",
} satisfies Wording<typeof french>;
