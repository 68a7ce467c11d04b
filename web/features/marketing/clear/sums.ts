/**
 * Inputs of the calculator: a number, or a share in percent, with its bounds and a cautious
 * example.
 */
export const ASSUMPTIONS = {
  customers: { example: 60, max: 2000 },
  days: { example: 26, max: 31 },
  scans: { example: 8, max: 100 },
  reviews: { example: 40, max: 100 },
  wins: { example: 35, max: 100 },
  returns: { example: 50, max: 100 },
} as const;
type Assumption = keyof typeof ASSUMPTIONS;
type Assumptions = Readonly<Record<Assumption, number>>;

export const NAMES = Object.keys(ASSUMPTIONS) as readonly Assumption[];

/** Public reviews and returning visits a month, whole. */
export function sumsOf(given: Assumptions): { reviews: number; returns: number } {
  const { customers, days, scans, reviews, wins, returns } = given;
  const scanned = (customers * days * scans) / 100;
  return {
    reviews: Math.round((scanned * reviews) / 100),
    returns: Math.round((((scanned * wins) / 100) * returns) / 100),
  };
}

/** The cautious example. */
export const EXAMPLE: Assumptions = {
  customers: ASSUMPTIONS.customers.example,
  days: ASSUMPTIONS.days.example,
  scans: ASSUMPTIONS.scans.example,
  reviews: ASSUMPTIONS.reviews.example,
  wins: ASSUMPTIONS.wins.example,
  returns: ASSUMPTIONS.returns.example,
};

/** A number as it is typed, within its bounds; null when invalid. */
export function readAssumption(name: Assumption, typed: string): number | null {
  const number = Number(typed.trim().replace(",", "."));
  if (typed.trim() === "" || !Number.isFinite(number) || number < 0) return null;
  return Math.min(number, ASSUMPTIONS[name].max);
}
