import type { Wording } from "#domain/text/wording.ts";
import type { reviewCopy as french } from "./review.copy.ts";

/** English of the review page after its first step. */
export const reviewCopy = {
  rating: {
    title: "How was your visit?",
    hint: "Tap a star and it is sent.",
    group: "Your rating, from 1 to 5 stars",
    lowest: "Disappointing",
    highest: "Perfect",
    sending: "Sending your review…",
    kept: (rating) => `Your rating, ${rating} out of 5, is kept here.`,
    editDetails: "Change my details",
  },
  google: {
    title: "Thank you. Would you tell everyone?",
    intro: (store) =>
      `A public review helps ${store} and everyone looking for a good place. Your chances in the game stay the same.`,
    leave: "Leave a public review",
    where: (host) => `On ${host}, in another tab`,
    skip: "Continue without a public review",
  },
  feedback: {
    title: "What could have been better?",
    intro: (store) => `Your message goes straight to the team of ${store}. It is not published.`,
    label: "Your message",
    missing: (count) => (count === 1 ? "1 more character" : `${count} more characters`),
    enough: "That is fine, you can send it.",
    submit: "Send",
  },
  ready: {
    title: "Your turn to spin the wheel",
    titleResting: "Thank you for your review",
    saved: "Thank you, your review has been saved.",
    blind: "It does not change your chances: chance alone decides.",
    opened: (host) => `The public review page, on ${host}, opens in another tab.`,
    play: "Spin the wheel",
    leave: "Leave a public review",
    resting: "The wheel is resting right now",
    restingHint: "Come back soon to try your luck.",
  },
  restart: "New visit? Start again",
} satisfies Wording<typeof french>;
