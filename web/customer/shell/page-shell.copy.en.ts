import type { Wording } from "#domain/text/wording.ts";
import type { shellCopy as french } from "./page-shell.copy.ts";

/** English around the steps: whose wheel it is, its rules, and what becomes of data. */
export const shellCopy = {
  language: "en",
  switchLanguage: "Language of the page:",
  poweredBy: "A wheel by",
  rules: {
    title: "How it works",
    points: [
      "Chance alone decides: the draw takes place when you spin the wheel, and the wheel stops on what was drawn.",
      "No purchase is needed, and no review either: you can play without leaving one.",
      "Your chances are the same with 1 star, with 5, or without a review.",
      "All the segments are drawn the same size; the odds of each prize are set by the organiser.",
    ],
    pointsEnd: {
      after: (days) =>
        `Points you win are to be spent within ${days} day${days === 1 ? "" : "s"} of winning them.`,
      never: "Points you win do not expire.",
      byPrize: "The rules say, for each prize, until when its points can be spent.",
    },
    organizer: (name) => `Game organised by ${name}.`,
    full: "Full rules of the game",
  },
  privacy: {
    title: "Your data",
    policy: "Privacy policy (in French)",
    points: (organizer) => [
      `${organizer} receives your details to record your review and your prize, and to remind you of it once before it ends. Without your consent, they are not used for any advertising.`,
      "They are deleted after 3 years at the latest.",
      "So that everyone plays on equal terms, an encrypted fingerprint of this device is kept for 13 months, and is used for nothing else.",
      `To see, correct or delete your data, contact ${organizer}.`,
    ],
  },
} satisfies Wording<typeof french>;
