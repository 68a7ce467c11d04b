import { billing, paidPlan } from "#domain/rules/plan-names.ts";
import { amountsOf, VAT_PERCENT } from "#domain/rules/plans.ts";
import { isMissing, type Payments } from "../../supabase/functions/_shared/http/payments.ts";
import { StartupError } from "../start/startup-error.ts";

const INTERVALS = { monthly: "month", yearly: "year" } as const;

/**
 * Asks the provider whether the configured prices and tax are those that our pages promise. Throws a
 * `StartupError` when they are not, or the key is refused; anything else that it throws (no network)
 * says nothing about them.
 */
export async function checkPrices({
  stripe,
  prices,
  taxRate,
}: Pick<Payments, "stripe" | "prices" | "taxRate">): Promise<void> {
  const offers = paidPlan.options.flatMap((plan) =>
    billing.options.map((paid) => ({
      name: `STRIPE_PRICE_${plan}_${paid}`.toUpperCase(),
      id: prices[plan][paid],
      cents: amountsOf(plan, paid).total,
      interval: INTERVALS[paid],
    })),
  );
  await Promise.all([
    ...offers.map(async ({ name, id, cents, interval }) => {
      const price = await known(name, id, stripe.prices.retrieve(id));
      const isSame =
        price.active &&
        price.currency === "eur" &&
        price.unit_amount === cents &&
        price.tax_behavior !== "inclusive" &&
        price.recurring?.interval === interval &&
        price.recurring.interval_count === 1;
      if (isSame) return;
      const expected = `${(cents / 100).toFixed(2).replace(".", ",")} €`;
      throw new StartupError("payments_other_price", { name, value: id, expected });
    }),
    known("STRIPE_TAX_RATE", taxRate, stripe.taxRates.retrieve(taxRate)).then((rate) => {
      if (rate.active && !rate.inclusive && rate.percentage === VAT_PERCENT) return;
      throw new StartupError("payments_other_tax", { value: taxRate, expected: VAT_PERCENT });
    }),
  ]);
}

async function known<T>(name: string, value: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (isMissing(error)) throw new StartupError("payments_unknown", { name, value });
    if (isRefused(error)) throw new StartupError("payments_refused");
    throw error;
  }
}

function isRefused(error: unknown): boolean {
  if (!(error instanceof Error) || !("type" in error)) return false;
  const { type } = error;
  return type === "StripeAuthenticationError" || type === "StripePermissionError";
}
