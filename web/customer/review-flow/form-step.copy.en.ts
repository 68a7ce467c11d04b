import { consentWording } from "#domain/rules/consent.copy.en.ts";
import type { Wording } from "#domain/text/wording.ts";
import type { formCopy as french } from "./form-step.copy.ts";

/** English of the first step of the review page. */
export const formCopy = {
  pageTitle: (store) => `Your review – ${store}`,
  pageDescription: (store) =>
    `Tell ${store} what you think in a minute, then spin the wheel: chance decides, with no purchase, and whatever your rating.`,
  star: (rating) => `${rating} out of 5`,
  title: "Leave a review, spin the wheel.",
  titleResting: "Leave a review.",
  resting: "The wheel is resting right now",
  restingHint: "Your review is still welcome.",
  firstName: "First name",
  lastName: "Last name",
  contact: "Contact me by",
  byEmail: "Email",
  byPhone: "Phone",
  consent: consentWording,
  submit: "Continue",
  withoutReview: "Take part without leaving a review",
} satisfies Wording<typeof french>;
