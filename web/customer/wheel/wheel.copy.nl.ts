import type { Wording } from "#domain/text/wording.ts";
import type { wheelCopy as french } from "./wheel.copy.ts";

/** Dutch of the wheel page until it stops. */
export const wheelCopy = {
  pageTitle: (store) => `Het rad – ${store}`,
  pageDescription: (store) =>
    `Het rad van ${store}: één draai, willekeurig geloot, zonder aankoop en zonder verplichte beoordeling. Je laat de prijs zien aan de kassa.`,
  backToReview: "Terug naar de beoordeling",
  test: {
    title: "Testmodus",
    hint: "Wat je typt wordt niet verstuurd of bewaard, en er valt niets te winnen.",
    realJourney: "Naar de echte pagina",
  },
  name: {
    title: "Hoe heet je?",
    intro: "Je naam staat op de prijs, voor het afhalen in de winkel.",
    label: "Je naam",
    submit: "Verder",
  },
  ready: {
    title: "Het rad is van jou",
    titleOver: "Een andere keer dan",
    chance: "Alleen het toeval beslist, wat je ook hebt gevonden.",
    rules: "Spelregels",
    spin: "Aan het rad draaien",
    retry: "Opnieuw proberen",
    editContact: "Mijn gegevens wijzigen",
    lots: "Op het rad:",
    resting: "Het rad rust even uit",
    restingHint: "Alle draaien zijn gespeeld. Kom snel terug.",
  },
  spinning: { title: "Het rad draait…", wait: "Veel geluk" },
  stopped: (label) => `Het rad is gestopt op ‘${label}’.`,
} satisfies Wording<typeof french>;
