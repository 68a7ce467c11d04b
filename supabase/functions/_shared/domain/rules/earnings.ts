import type { Billing, Plan } from "./plan-names.ts";
import { amountsOf } from "./plans.ts";

/** Earnings that a campaign brings in. */
export type Earnings = {
  /** Visits that count as brought back times the average basket, in euros. */
  revenue: number;
  /** The same less the cost of the rewards. */
  gain: number;
  /** Gain for each euro of rewards: 5.4 is +540 %; null when nothing was spent. */
  ratio: number | null;
};

/** Facts that earnings are reckoned from. */
type EarningsFacts = {
  /** Visits that the campaign brought back. */
  visits: number;
  /** Of a hundred of them, how many count. */
  return_share: number;
  /** Cost of the rewards that were used, in euros. */
  cost: number;
  /** Average spending of the store's customer on a visit, in euros; null when not entered. */
  average_basket: number | null;
};

/** Judges what a campaign brings in; null until the average basket is known. */
export function earningsOf(facts: EarningsFacts): Earnings | null {
  const { visits, return_share, cost, average_basket } = facts;
  if (average_basket === null) return null;
  const revenue = (visits * average_basket * return_share) / 100;
  const gain = revenue - cost;
  return { revenue, gain, ratio: cost > 0 ? gain / cost : null };
}

/** Return and cost of some days of an organisation, in euros. */
type PeriodFacts = {
  /** Value of all visits. */
  revenue: number;
  /** Of a hundred visits, how many count. */
  return_share: number;
  cost: number;
  /** Null where there is no subscription. */
  plan: { plan: Plan; billing: Billing | null } | null;
};

/** Earnings that some days leave to a merchant, in euros. */
export type PeriodEarnings = {
  /** Value of the visits that count. */
  revenue: number;
  /** The plan's part of these days, without tax; 0 where nothing is paid. */
  subscription: number;
  /** Revenue less rewards and subscription. */
  gain: number;
};

const MONTHS_A_DAY = 12 / 365;

/** Judges what some days brought in, after the rewards and the plan's part of so many days. */
export function periodEarnings(facts: PeriodFacts, days: number): PeriodEarnings {
  const subscription = ((monthlyPrice(facts.plan) ?? 0) * MONTHS_A_DAY * days) / 100;
  const revenue = (facts.revenue * facts.return_share) / 100;
  return { revenue, subscription, gain: revenue - facts.cost - subscription };
}

/** Price of a plan for a month without tax, in cents; null where nothing is paid. */
export function monthlyPrice(subscribed: PeriodFacts["plan"]): number | null {
  if (subscribed === null || subscribed.plan === "free_trial" || subscribed.billing === null) {
    return null;
  }
  return amountsOf(subscribed.plan, subscribed.billing).perMonth;
}
