/** How a series is drawn: colour and stroke both distinguish it, for the colour-blind. */
export const TREND_TONES = {
  violet: { line: "stroke-accent", area: "fill-accent/15", dash: undefined },
  rose: { line: "stroke-rose", area: "fill-rose/15", dash: "7 4" },
  green: { line: "stroke-mint-ink", area: "fill-mint/15", dash: "1.5 5" },
} as const;

type TrendTone = keyof typeof TREND_TONES;

export type TrendSeries = { label: string; tone: TrendTone };

/** A day (ISO date) with one count for each series. */
export type TrendPoint = { day: string; values: readonly number[] };
