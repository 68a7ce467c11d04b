import { tradeWheelsCopy as copy } from "./trade-wheels.copy.ts";

/** Trades that a first wheel is proposed to. */
export const TRADES = [
  "cafe",
  "restaurant",
  "bakery",
  "hairdresser",
  "beauty",
  "shop",
  "hotel",
  "garage",
  "gym",
  "other",
] as const;
export type Trade = (typeof TRADES)[number];

/** A prize of a proposal: odds in percent, cost to the merchant in cents. */
type Share = { weight: number; cost: number; type: "gift" | "coupon" };

/** A segment of a proposal, in its order on the wheel; without a prize it loses. */
export type ProposedSegment = {
  label: string;
  weight: number;
  prize: { type: Share["type"]; cost: number } | null;
};

const gift = (weight: number, cost: number): Share => ({ weight, cost, type: "gift" });
const coupon = (weight: number, cost: number): Share => ({ weight, cost, type: "coupon" });

/** Odds and costs of each trade's prizes, in the order of their texts. Losing segments share what is left of 100. */
const PRIZES: Readonly<Record<Trade, readonly Share[]>> = {
  cafe: [gift(15, 50), gift(8, 60), gift(2, 300), coupon(15, 80)],
  restaurant: [gift(15, 40), gift(8, 150), gift(5, 200), coupon(10, 300)],
  bakery: [gift(15, 40), gift(12, 35), gift(4, 110), coupon(9, 60)],
  hairdresser: [gift(8, 250), gift(6, 180), gift(1, 900), coupon(8, 350)],
  beauty: [gift(10, 150), gift(4, 400), gift(1, 1500), coupon(6, 450)],
  shop: [gift(12, 100), gift(6, 200), coupon(4, 500), coupon(8, 400)],
  hotel: [gift(12, 120), gift(4, 500), gift(1, 1500), gift(8, 300)],
  garage: [gift(15, 100), gift(10, 200), gift(5, 400), coupon(1, 1500)],
  gym: [gift(10, 150), gift(5, 300), gift(1, 1500), gift(12, 100)],
  other: [gift(12, 100), coupon(3, 500), coupon(10, 300)],
};

/** The wheel that is proposed to a trade: prizes and losing segments in turn, weights that sum to 100. */
export function tradeWheel(trade: Trade): ProposedSegment[] {
  const prizes = PRIZES[trade].map(({ weight, cost, type }, index) => ({
    label: copy[trade].prizes[index] ?? "",
    weight,
    prize: { type, cost },
  }));
  const left = 100 - prizes.reduce((sum, { weight }) => sum + weight, 0);
  const losing = copy.losing.map((label, index, { length }) => ({
    label,
    weight: Math.floor((left + length - 1 - index) / length),
    prize: null,
  }));
  // One losing segment after every second prize, so that neither kind fills one half.
  const [first, second] = losing;
  return [
    ...prizes.slice(0, 2),
    ...(first ? [first] : []),
    ...prizes.slice(2),
    ...(second ? [second] : []),
  ];
}

/** Whether a text names a trade. */
export function isTrade(text: unknown): text is Trade {
  return TRADES.some((trade) => trade === text);
}
