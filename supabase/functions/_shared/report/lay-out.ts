import { periodEarnings } from "../domain/rules/earnings.ts";
import type { MonthlyReport } from "../domain/schemas/monthly-report.ts";
import { inPoints } from "../domain/text/in-points.ts";
import { monthlyReportCopy as copy } from "./monthly-report.copy.ts";
import {
  inChange,
  inCount,
  inDay,
  inEuros,
  inGain,
  inMean,
  inMonth,
  inRating,
  inShare,
} from "./report-words.ts";

/** Mark on the page, in points from the upper left corner of an A4 sheet. */
export type Mark =
  | {
      kind: "text";
      x: number;
      /** Vertical position of the baseline. */
      y: number;
      text: string;
      size: number;
      isBold: boolean;
      color: string;
      /** Where x is of the text; the left unless said. */
      align?: "right";
      /** Widest that it may be: it is set smaller, then cut. */
      width?: number;
      /** Whether it becomes two lines around its place first. */
      wraps?: true;
    }
  | { kind: "box"; x: number; y: number; width: number; height: number; color: string };

/** A4, in points. */
export const SHEET = { width: 595.28, height: 841.89 } as const;

const LEFT = 44;
const RIGHT = SHEET.width - LEFT;
const INNER = RIGHT - LEFT;

const INK = "#1b1530";
const MUTED = "#5f5876";
const SOFT = "#f4f0fe";
const LINE = "#e4dff2";
const VIOLET = "#7c3aed";
const ROSE = "#db2777";
/** Segments of the wheel, unrolled. */
const WHEEL = ["#8b5cf6", "#10b981", "#f59e0b", "#ef4444", "#06b6d4", "#ec4899"] as const;

type TextOptions = { size?: number; isBold?: boolean; color?: string } & {
  align?: "right";
  width?: number;
  wraps?: true;
};

function write(x: number, y: number, text: string, options: TextOptions = {}): Mark {
  const { size = 10, isBold = false, color = INK, ...rest } = options;
  return { kind: "text", x, y, text, size, isBold, color, ...rest };
}

function box(x: number, y: number, width: number, height: number, color: string): Mark {
  return { kind: "box", x, y, width, height, color };
}

const heading = (x: number, y: number, text: string) =>
  write(x, y, text, { size: 13, isBold: true });

/** A report as one page: title, figures, days, way of the customers, earnings, public pages. */
export function layOutReport(report: MonthlyReport): Mark[] {
  const { figures } = report;
  const earned = earnings(report, 598);
  return [
    ...WHEEL.map((color, n) =>
      box((n * SHEET.width) / WHEEL.length, 0, SHEET.width / WHEEL.length + 0.5, 8, color),
    ),
    write(LEFT, 52, report.organization, { size: 22, isBold: true, width: INNER, wraps: true }),
    write(LEFT, 78, copy.title(inMonth(report.month)), { size: 13, color: VIOLET, isBold: true }),
    write(LEFT, 95, copy.before(figures.days.length), { color: MUTED }),
    ...tiles(report, 112),
    heading(LEFT, 282, copy.days),
    ...days(report, 296),
    heading(LEFT, 452, copy.funnel),
    ...funnel(report, 464),
    ...earned,
    ...publicPages(report, 732),
    box(LEFT, 806, INNER, 0.7, LINE),
    write(LEFT, 822, copy.footer(report.organization), { size: 8.5, color: MUTED, width: INNER }),
  ];
}

function tiles({ figures: { totals: now, previous: before } }: MonthlyReport, top: number): Mark[] {
  const mean = (of: typeof now) => (of.reviews === 0 ? 0 : of.rating_sum / of.reviews);
  const facts = [
    [copy.tiles.scans, inCount(now.scans), inChange(now.scans, before.scans)],
    [copy.tiles.reviews, inCount(now.reviews), inChange(now.reviews, before.reviews)],
    [
      copy.tiles.average,
      inMean(now.rating_sum, now.reviews),
      now.reviews === 0 || before.reviews === 0 ? null : inGain(mean(now) - mean(before)),
    ],
    [
      copy.tiles.fiveStars,
      inShare(now.five_star_reviews, now.reviews),
      inPoints([now.five_star_reviews, now.reviews], [before.five_star_reviews, before.reviews]),
    ],
    [copy.tiles.wins, inCount(now.wins), inChange(now.wins, before.wins)],
    [
      copy.tiles.redemptions,
      inCount(now.redemptions),
      inChange(now.redemptions, before.redemptions),
    ],
  ] as const;
  const gap = 10;
  const [width, height] = [(INNER - 2 * gap) / 3, 68];
  return facts.flatMap(([label, value, change], n) => {
    const x = LEFT + (n % 3) * (width + gap);
    const y = top + Math.floor(n / 3) * (height + gap);
    return [
      box(x, y, width, height, SOFT),
      write(x + 12, y + 19, label, { color: MUTED }),
      write(x + 12, y + 43, value, { size: 20, isBold: true }),
      write(x + 12, y + 58, change ?? copy.nothingBefore, { size: 8.5, color: MUTED }),
    ];
  });
}

/** Scans as columns, reviews as narrower ones in front of them. */
function days({ figures }: MonthlyReport, top: number): Mark[] {
  const height = 112;
  const base = top + 10 + height;
  const highest = Math.max(0, ...figures.days.map((day) => Math.max(day.scans, day.reviews)));
  if (highest === 0) return [write(LEFT, top + 20, copy.quiet, { color: MUTED })];
  const step = INNER / figures.days.length;
  const column = (n: number, count: number, share: number, color: string) => {
    const tall = (count / highest) * height;
    return box(LEFT + (n + (1 - share) / 2) * step, base - tall, step * share, tall, color);
  };
  return [
    box(RIGHT - 104, top - 14, 8, 8, "#c4b5fd"),
    write(RIGHT - 92, top - 6.5, copy.legend.scans, { size: 9, color: MUTED }),
    box(RIGHT - 42, top - 14, 8, 8, ROSE),
    write(RIGHT - 30, top - 6.5, copy.legend.reviews, { size: 9, color: MUTED }),
    ...figures.days.flatMap(({ scans, reviews }, n) => [
      column(n, scans, 0.76, "#c4b5fd"),
      column(n, reviews, 0.36, ROSE),
    ]),
    box(LEFT, base, INNER, 0.7, LINE),
    ...figures.days.flatMap(({ day }, n) => {
      const number = Number(day.slice(8));
      if (number !== 1 && number % 5 !== 0) return [];
      return [write(LEFT + (n + 0.2) * step, base + 12, String(number), { size: 8, color: MUTED })];
    }),
  ];
}

const STEPS = ["scans", "reviews", "spins", "wins", "redemptions"] as const;

function funnel({ figures }: MonthlyReport, top: number): Mark[] {
  const { free } = figures.funnel;
  const widest = Math.max(1, figures.funnel.scans);
  const room = 270;
  let drawn = widest;
  const rows = STEPS.flatMap((step, n) => {
    const count = figures.funnel[step];
    const before = n === 0 ? null : figures.funnel[STEPS[n - 1] ?? "scans"];
    // No step is drawn larger than the one before.
    drawn = Math.min(drawn, count);
    const y = top + n * 18;
    return [
      write(LEFT, y + 11, copy.steps[step]),
      write(LEFT + 150, y + 11, inCount(count), { isBold: true, align: "right" }),
      write(LEFT + 158, y + 11, before === null || count > before ? "" : inShare(count, before), {
        size: 8.5,
        color: MUTED,
      }),
      box(RIGHT - room, y + 2, (drawn / widest) * room, 12, VIOLET),
    ];
  });
  const words = copy.free(inCount(free.spins), inCount(free.wins), inCount(free.redemptions));
  const beside = write(LEFT, top + 104, words, { size: 8.5, color: MUTED, width: INNER });
  return free.spins > 0 ? [...rows, beside] : rows;
}

/** The part of the visits that counts, where it is not all of them. */
const shareOf = ({ return_share }: { return_share: number }) =>
  return_share === 100 ? null : inShare(return_share, 100);

function earnings({ figures }: MonthlyReport, top: number): Mark[] {
  const { return: earned } = figures;
  const { revenue, subscription, gain } = periodEarnings(earned, figures.days.length);
  const counted = earned.visits - earned.unestimated;
  const title = heading(LEFT, top, copy.earnings);
  if (counted <= 0) {
    const words = copy.unknown(inCount(earned.visits));
    return [title, write(LEFT, top + 20, words, { color: MUTED, width: INNER })];
  }
  const lines = [
    [copy.revenue(inCount(counted), shareOf(earned)), revenue],
    [copy.cost, -earned.cost],
    [copy.subscription, -subscription],
  ] as const;
  const notes = [
    earned.unestimated > 0 ? copy.unestimated(inCount(earned.unestimated)) : "",
    earned.unpriced > 0 ? copy.unpriced(inCount(earned.unpriced)) : "",
  ].filter(Boolean);
  return [
    title,
    ...lines.flatMap(([label, amount], n) => [
      write(LEFT, top + 20 + n * 17, label),
      write(RIGHT, top + 20 + n * 17, inEuros(amount), { align: "right" }),
    ]),
    box(LEFT, top + 60, INNER, 0.7, LINE),
    write(LEFT, top + 78, copy.gain, { size: 12, isBold: true }),
    write(RIGHT, top + 78, inEuros(gain), { size: 14, isBold: true, align: "right" }),
    write(LEFT, top + 94, notes.join(" "), { size: 8.5, color: MUTED, width: INNER }),
  ];
}

function publicPages({ public_pages: pages }: MonthlyReport, top: number): Mark[] {
  if (pages.length === 0) return [];
  return [
    heading(LEFT, top, copy.pages),
    ...pages.flatMap(({ name, at, before }, n) => {
      const y = top + 18 + n * 20;
      const shown = copy.page(inRating(at.rating), inCount(at.reviews), inDay(at.day));
      const gain = before && copy.pageGain(inGain(at.reviews - before.reviews), inDay(before.day));
      return [
        write(LEFT, y, name, { isBold: true, width: 150, wraps: true }),
        write(LEFT + 160, y, gain ? `${shown} · ${gain}` : shown, { width: INNER - 160 }),
      ];
    }),
  ];
}
