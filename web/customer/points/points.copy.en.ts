import { locale } from "#domain/text/locale.copy.en.ts";
import type { Wording } from "#domain/text/wording.ts";
import type { pointsCopy as french } from "./points.copy.ts";

const number = new Intl.NumberFormat(locale);

function points(count: number): string {
  return `${number.format(count)} ${count === 1 ? "point" : "points"}`;
}

/** English of one's points, and of what they buy. */
export const pointsCopy = {
  title: "Your points",
  balance: points,
  loading: "Loading your points…",
  failed: "Your points cannot be shown right now. They are still yours.",
  offline: "No connection: these are your points as they were last time.",
  retry: "Try again",
  next: (missing, reward) => `Another ${points(missing)} to get “${reward}”.`,
  ready: (reward) => `You can get “${reward}”.`,
  none: "This shop has no gift to exchange yet. Your points are still yours.",
  ends: (count, day) =>
    `${points(count)} ${count === 1 ? "is" : "are"} to be spent by the end of ${day}.`,
  list: "In exchange for your points",
  missing: (count) => `${points(count)} to go`,
  soldOut: "Sold out",
  exchange: "Exchange",
  exchangeFor: (reward) => `Exchange for ${reward}`,
  ask: (cost, reward) => `Exchange ${points(cost)} for “${reward}”?`,
  consequence:
    "You get a code to show at the till within 30 days. If it is not used, you get your points back.",
  confirm: "Yes, exchange",
  cancel: "Cancel",
  sending: "Exchanging…",
  noAnswer: "No answer came. Try again: the exchange is made only once.",
  anywhere: (organization) => `any store of ${organization}`,
  nowhere: "Store closed",
  codes: "Your exchanges",
  used: (day) => `Used on ${day}`,
  expired: "Expired, points returned",
} satisfies Wording<typeof french>;
