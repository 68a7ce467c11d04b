import type { Wording } from "#domain/text/wording.ts";
import type { wheelCopy as french } from "./wheel.copy.ts";

/** English of the wheel page until it stops. */
export const wheelCopy = {
  pageTitle: (store) => `The wheel – ${store}`,
  pageDescription: (store) =>
    `The wheel of ${store}: one spin, drawn at random, with no purchase and no review required. Show your prize at the till.`,
  backToReview: "Back to the review",
  test: {
    title: "Test mode",
    hint: "What you type is neither sent nor kept, and there is nothing to win.",
    realJourney: "Go to the real page",
  },
  name: {
    title: "What is your name?",
    intro: "Your name is shown on the prize, for when you collect it in the shop.",
    label: "Your name",
    submit: "Continue",
  },
  ready: {
    title: "The wheel is yours",
    titleOver: "Maybe another time",
    chance: "Chance alone decides, whatever your review says.",
    rules: "Rules of the game",
    spin: "Spin the wheel",
    retry: "Try again",
    editContact: "Change my details",
    lots: "On the wheel:",
    resting: "The wheel is resting right now",
    restingHint: "All the spins have been played. Come back soon.",
  },
  spinning: { title: "The wheel is spinning…", wait: "Good luck" },
  stopped: (label) => `The wheel stopped on “${label}”.`,
} satisfies Wording<typeof french>;
