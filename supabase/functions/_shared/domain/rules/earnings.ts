import type { Billing, Plan } from "./plan-names.ts";
import { amountsOf } from "./plans.ts";

/** What a campaign brings in. */
export type Earnings = {
  /** Visits brought back times the average basket, in euros. */
  revenue: number;
  /** The same less the cost of the rewards. */
  gain: number;
  /** Gain for each euro of rewards: 5.4 is +540 %; null when nothing was spent. */
  ratio: number | null;
};

/** What earnings are made of. */
type EarningsFacts = {
  /** Visits that the campaign brought back. */
  visits: number;
  /** Cost of the rewards that were used, in euros. */
  cost: number;
  /** What a customer of the store spends on a visit, in euros; null when not entered. */
  average_basket: number | null;
};

/** Judges what a campaign brings in; null until the average basket is known. */
export function earningsOf({ visits, cost, average_basket }: EarningsFacts): Earnings | null {
  if (average_basket === null) return null;
  const revenue = visits * average_basket;
  const gain = revenue - cost;
  return { revenue, gain, ratio: cost > 0 ? gain / cost : null };
}

/** What some days of an organisation brought and cost, in euros. */
type PeriodFacts = {
  revenue: number;
  cost: number;
  /** Null where there is no subscription. */
  plan: { plan: Plan; billing: Billing | null } | null;
};

/** What some days leave to a merchant, in euros. */
export type PeriodEarnings = {
  /** The plan's part of these days, without tax; 0 where nothing is paid. */
  subscription: number;
  /** Revenue less rewards and subscription. */
  gain: number;
};

const MONTHS_A_DAY = 12 / 365;

/** Judges what some days brought in, after the rewards and the plan's part of so many days. */
export function periodEarnings({ revenue, cost, plan }: PeriodFacts, days: number): PeriodEarnings {
  const subscription = ((monthlyPrice(plan) ?? 0) * MONTHS_A_DAY * days) / 100;
  return { subscription, gain: revenue - cost - subscription };
}

/** What a plan costs a month without tax, in cents; null where nothing is paid. */
export function monthlyPrice(subscribed: PeriodFacts["plan"]): number | null {
  if (subscribed === null || subscribed.plan === "free_trial" || subscribed.billing === null) {
    return null;
  }
  return amountsOf(subscribed.plan, subscribed.billing).perMonth;
}
