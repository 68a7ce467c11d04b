import { type Billing, type PaidPlan, type Plan, paidPlan } from "./plan-names.ts";

/** Value-added tax of France, in percent, on top of every price. */
export const VAT_PERCENT = 20;

/** Price of a month without tax, in cents, for payment by the month or by the year. */
const MONTH_CENTS: Readonly<Record<PaidPlan, Readonly<Record<Billing, number>>>> = {
  basic: { monthly: 49_00, yearly: 39_00 },
  pro: { monthly: 149_00, yearly: 119_00 },
};

/**
 * Limits of each plan; -1 is unlimited. The table `plan_limits` holds the same, and a test compares
 * the two.
 */
export const PLAN_LIMITS: Readonly<
  Record<Plan, { campaigns: number; spins: number; users: number }>
> = {
  free_trial: { campaigns: 1, spins: 100, users: 2 },
  basic: { campaigns: 3, spins: 1000, users: 5 },
  pro: { campaigns: -1, spins: -1, users: -1 },
};

/** A price in all its figures, in cents. */
export type Amounts = {
  /** A month, without tax. */
  perMonth: number;
  /** Amount of each payment, without tax: a month, or twelve of them. */
  total: number;
  /** Price of the same time when paid by the month, without tax. */
  original: number;
  /** Savings of paying for a year at once. */
  savings: number;
  vat: number;
  /** Amount of each payment, tax included. */
  due: number;
};

/** Amounts of a plan. */
export function amountsOf(of: PaidPlan, paid: Billing): Amounts {
  const months = paid === "yearly" ? 12 : 1;
  const perMonth = MONTH_CENTS[of][paid];
  const total = perMonth * months;
  const original = MONTH_CENTS[of].monthly * months;
  const vat = Math.round((total * VAT_PERCENT) / 100);
  return { perMonth, total, original, savings: original - total, vat, due: total + vat };
}

/** Name of a quantity that a plan limits. */
export type Bounded = keyof (typeof PLAN_LIMITS)[Plan];

/** The cheapest plan that allows more of something than so many, and how many; null when none does. */
export function planWithMore(of: Bounded, limit: number): { plan: PaidPlan; limit: number } | null {
  if (limit < 0) return null;
  for (const name of paidPlan.options) {
    const allowed = PLAN_LIMITS[name][of];
    if (allowed < 0 || allowed > limit) return { plan: name, limit: allowed };
  }
  return null;
}
