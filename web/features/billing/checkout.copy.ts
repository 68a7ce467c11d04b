import { VAT_PERCENT } from "#domain/plans.ts";

/** `/checkout` (specification, sections 2.4 and 8). */
export const checkoutCopy = {
  title: "Votre commande",
  plan: { basic: "Plan Basic", pro: "Plan Pro" },
  billing: { monthly: "Paiement mensuel", yearly: "Paiement annuel, 2 mois gratuits" },
  perMonth: (amount: string) => `${amount} HT par mois`,
  summary: "Récapitulatif",
  subtotal: { monthly: "Un mois, hors taxes", yearly: "Douze mois, hors taxes" },
  discount: "Économie annuelle comprise",
  vat: `TVA ${VAT_PERCENT} %`,
  due: "Total à payer",
  back: "Voir les autres plans",
} as const;
