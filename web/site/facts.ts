import { type Billing, paidPlan } from "#domain/rules/plan-names.ts";
import { amountsOf } from "#domain/rules/plans.ts";
import { pricingCopy } from "../features/billing/prices/pricing.copy.ts";
import { landingCopy } from "../features/marketing/landing/landing.copy.ts";
import { ORIGIN_PLACE } from "./placeholders.ts";

/** Facts for search engines, in the words of schema.org, made of what the pages themselves say. */

/** Company behind the product. */
export const organization = {
  "@type": "Organization",
  name: "Tournavis",
  url: `${ORIGIN_PLACE}/`,
  logo: `${ORIGIN_PLACE}/icons/icon-512.png`,
};

function offer(name: string, cents: number, months: 0 | 1 | 12) {
  return {
    "@type": "Offer",
    name,
    price: (cents / 100).toFixed(2),
    priceCurrency: "EUR",
    url: `${ORIGIN_PLACE}/pricing`,
    ...(months > 0 && {
      priceSpecification: {
        "@type": "UnitPriceSpecification",
        price: (cents / 100).toFixed(2),
        priceCurrency: "EUR",
        valueAddedTaxIncluded: false,
        referenceQuantity: { "@type": "QuantitativeValue", value: months, unitCode: "MON" },
      },
    }),
  };
}

const PERIODS: readonly Billing[] = ["monthly", "yearly"];

const trial = offer(pricingCopy.names.free_trial, 0, 0);

const paid = paidPlan.options.flatMap((name) =>
  PERIODS.map((billing) =>
    offer(
      `${pricingCopy.names[name]}, ${pricingCopy.billing[billing].toLowerCase()}`,
      amountsOf(name, billing).total,
      billing === "yearly" ? 12 : 1,
    ),
  ),
);

function application(offers: readonly object[]) {
  return {
    "@type": "SoftwareApplication",
    name: "Tournavis",
    description: landingCopy.description,
    applicationCategory: "BusinessApplication",
    operatingSystem: "Web",
    inLanguage: "fr",
    url: `${ORIGIN_PLACE}/`,
    offers,
  };
}

/**
 * Offer of the product, from the constants that the checkout uses; the trial alone where no plan is
 * sold.
 */
export const applicationOffer = {
  sold: application([trial, ...paid]),
  unsold: application([trial]),
};

/** The questions of the pricing page with their answers. */
export const questions = {
  "@type": "FAQPage",
  mainEntity: pricingCopy.faq.entries.map(({ question, answer }) => ({
    "@type": "Question",
    name: question,
    acceptedAnswer: { "@type": "Answer", text: answer },
  })),
};
