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
