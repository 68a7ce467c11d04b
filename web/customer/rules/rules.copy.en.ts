import type { Wording } from "#domain/text/wording.ts";
import type { rulesCopy as french } from "./rules.copy.ts";

const days = (count: number) => (count === 1 ? "1 day" : `${count} days`);

/** English of the rules of the draw: a translation, beside the French text that governs. */
export const rulesCopy = {
  pageTitle: (store) => `Rules of the game – ${store}`,
  title: "Rules of the game",
  version: (version, date) => `Version ${version}, in force since ${date}`,
  formerVersion: (version, date) =>
    `Version ${version}, published on ${date}. It is not the one in force.`,
  current: "Read the version in force",
  play: "Back to the game",
  organizer: {
    title: "The organiser",
    text: (name, store, address) =>
      `The game is organised by ${name}, for its shop ${store}, ${address}. This is where the organiser can be reached, in person or by post.`,
  },
  game: {
    title: "The game and its dates",
    text: "The game is a wheel that you spin on your phone, after opening the page of the game with the shop's QR code or its address.",
    from: (start) => `It starts on ${start}.`,
    openStart: "It is open as soon as its page is online.",
    until: (end) => `It ends on ${end}.`,
    openEnd: "It has no end date set in advance. It ends when the organiser takes the page down.",
    zone: (zone) => `Times are those of the shop: ${zone}.`,
  },
  entry: {
    title: "Who can play, and on what terms",
    free: "Taking part is free. No purchase is required.",
    noReview:
      "No review is required either: the first page offers to take part without leaving one. Whoever leaves one does so freely, whether good or bad.",
    who: "Anyone can play who gives their name and an email address or a phone number of their own. These details are used to find the prize again.",
    every: (count) =>
      count === 1
        ? "Each person can play once a day."
        : `Each person can play once every ${days(count)}.`,
    unlimited: "Each person can play as often as they like, up to 30 times an hour.",
    presence: {
      turning:
        "To play, you have to be in the shop: a code shown at the till, which changes every 30 seconds, is asked for. Everyone can see it, without a purchase.",
      word: "To play, you have to be in the shop: the word of the day, displayed at the counter, is asked for. Everyone can see it, without a purchase.",
      receipt:
        "To play, you have to be in the shop: the last four digits of a till receipt are asked for. Without a purchase, the team gives four on request: the chances are the same.",
    },
    fair: "So that everyone plays on equal terms, the number of spins made from one device in an hour is limited.",
  },
  prizes: {
    title: "Prizes and odds",
    none: "No prize is at stake at the moment: the wheel cannot be played.",
    caption: "Prizes at stake, and the odds of each spin",
    name: "Prize",
    value: "Value",
    number: "Number",
    odds: "Odds",
    noValue: "no market value stated",
    noLimit: "unlimited",
    shared: "The number is for this game and others of the same organiser together.",
    lose: "No prize",
    segments: (labels) => `On the wheel: ${labels.map((label) => `“${label}”`).join(", ")}`,
    discount: (percent) => `${percent} off`,
    points: (count) => `${count} points`,
    maxPerUser: (count) =>
      count === 1 ? "One person can win it once." : `One person can win it ${count} times at most.`,
    validity: (count) => `To be collected within ${days(count)} of winning it.`,
    pointsValidity: (count) => `To be spent within ${days(count)} of winning them.`,
    equal:
      "The odds are those of each spin. They are the same with 1 star, with 5 or without a review. The segments drawn on the wheel are all the same size, whatever the odds.",
    usedUpToLosing:
      "When a prize has run out, or a person has won it as many times as allowed, its odds go to the segments that win nothing, in proportion.",
    usedUpToPrizes:
      "When a prize has run out, or a person has won it as many times as allowed, its odds go to the other prizes, in proportion. If none is left, the wheel can no longer be played.",
  },
  draw: {
    title: "The draw",
    text: "The winner is decided by chance alone. The draw is made by the server of the game, at the moment the wheel is spun, with a cryptographic random number generator. It knows neither the rating nor the text of a review. The wheel then stops on what was drawn.",
  },
  collect: {
    title: "Collecting a prize",
    code: (store) =>
      `The prize is shown at once, with a code. It is handed over in exchange for this code, shown at the till of ${store} before the deadline written below the code. A code can be used only once.`,
    points: "Points won are credited at once, without a code.",
    exchange: "A prize cannot be exchanged for money or for another prize.",
  },
  data: {
    title: "Your data",
    points: (organizer, years, months) => [
      `${organizer} is the controller of the contact details and of the review, and receives them to record the entry, hand over the prize and prevent multiple entries. Without consent given separately, they are not used for any advertising.`,
      `They are deleted at the latest ${years} years after the last visit. The encrypted fingerprint of the device is kept for ${months} months.`,
      `Everyone can access, correct or delete their data, or object to its use, by contacting ${organizer}. A complaint can be lodged with the CNIL (cnil.fr), the French data protection authority.`,
    ],
    policy: "Privacy policy (in French)",
  },
  service: {
    title: "The service",
    text: "The page of the game, the draw and the codes are provided by Tournavis.",
    by: (company, address) =>
      `The page of the game, the draw and the codes are provided by Tournavis, a service of ${company}${address === null ? "" : `, ${address}`}.`,
    contact: "Address of the service:",
    law: "The game is governed by French law. Taking part means accepting the version of these rules that is in force at that moment.",
  },
  versions: {
    title: "Versions of the rules",
    text: "Every change to the game makes a new version. Each spin stays attached to the version under which it was played.",
    item: (version, date) => `Version ${version}, published on ${date}`,
    inForce: "in force",
  },
} satisfies Wording<typeof french>;
