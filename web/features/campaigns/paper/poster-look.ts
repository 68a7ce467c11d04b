import { channelsOf, contrastOf, luminance, textOf } from "#domain/rules/colors.ts";
import { legible } from "../../../ui/wheel/wheel-geometry.ts";
import { fill, mm, type Shape } from "./poster-drawing.ts";
import type { PosterStyle, Season } from "./poster-options.ts";
import { circle, INK, MUTED, WHITE } from "./poster-parts.ts";

/** Margin that printers ask for around a cut, in points. */
export const BLEED = mm(3);

/** Colour of a merchant who has chosen none: the brand's violet on paper. */
const OWN_COLOR = "#6d28d9";

/** Colours on a sheet; each can be read on its ground. */
export type PosterInks = {
  ground: string;
  /** Titles and names. */
  ink: string;
  /** Small print. */
  muted: string;
  /** Arrow and lines. */
  accent: string;
};

const SEASON_INKS: Readonly<Record<Season, { ground: string; accent: string; motifs: string[] }>> =
  {
    spring: { ground: "#f3fbf0", accent: "#0f766e", motifs: ["#f9a8d4", "#86efac", "#fcd34d"] },
    summer: { ground: "#fff8e1", accent: "#9a3412", motifs: ["#fbbf24", "#fb923c", "#7dd3fc"] },
    autumn: { ground: "#fdf3e7", accent: "#92400e", motifs: ["#ea9a5b", "#d97706", "#b9744f"] },
    winter: { ground: "#edf5fd", accent: "#1e3a8a", motifs: ["#93c5fd", "#bfdbfe", "#c4b5fd"] },
  };

/** Least contrast of what is written (WCAG 2, level AA). */
const READABLE = 4.5;

/** Part of the way to black at each step, until a colour can be read on its ground. */
const SHADE = 0.06;

/** Part of the way to black or white of every other ray: away from the letters, which gain by it. */
const RAY = 0.1;

const RAYS = 28;

function mixed(color: string, target: number, share: number): string {
  const [red, green, blue] = channelsOf(color);
  const mix = (value: number) => value + (target - value) * share;
  return textOf([mix(red), mix(green), mix(blue)]);
}

/** A colour as dark as it takes to be read on a ground. */
function darkened(color: string, ground: string): string {
  const light = luminance(channelsOf(ground));
  let found = color;
  while (contrastOf(luminance(channelsOf(found)), light) < READABLE) {
    found = mixed(found, 0, SHADE);
  }
  return found;
}

/** The colours of a look; `color` is the merchant's (`#rrggbb`), null without one. */
export function inksOf(style: PosterStyle, season: Season, color: string | null): PosterInks {
  if (style === "plain") {
    const accent = darkened(color ?? OWN_COLOR, WHITE);
    return { ground: WHITE, ink: INK, muted: MUTED, accent };
  }
  if (style === "season") {
    const { ground, accent } = SEASON_INKS[season];
    return { ground, ink: INK, muted: darkened(MUTED, ground), accent };
  }
  const { color: ground, isDark } = legible(color ?? OWN_COLOR);
  const ink = isDark ? INK : WHITE;
  return { ground, ink, muted: ink, accent: ink };
}

type Ground = {
  width: number;
  height: number;
  /** Middle of the wheel, from which the rays go out. */
  center: { x: number; y: number };
  /** How much larger or smaller than on A4 things are drawn. */
  unit: number;
};

/** Background of everything, out to the bleed. */
export function backdrop(
  style: PosterStyle,
  season: Season,
  inks: PosterInks,
  { width, height, center, unit }: Ground,
): Shape[] {
  const whole = fill(
    `M${-BLEED} ${-BLEED}H${width + BLEED}V${height + BLEED}H${-BLEED}Z`,
    inks.ground,
  );
  if (style === "plain") {
    const band = 9 * unit;
    return [whole, fill(`M${-BLEED} ${-BLEED}H${width + BLEED}V${band}H${-BLEED}Z`, inks.accent)];
  }
  if (style === "season") return [whole, ...motifs(season, width, height, unit)];
  const far = Math.hypot(width, height) + BLEED;
  const half = Math.PI / RAYS / 2;
  const [side, tip] = [Math.sin(half) * far * 2, Math.cos(half) * far];
  const ray = mixed(inks.ground, inks.ink === WHITE ? 0 : 255, RAY);
  return [
    whole,
    ...Array.from({ length: RAYS / 2 }, (_, index) =>
      fill(`M0 0L${-side / 2} ${-tip}H${side / 2}Z`, ray, {
        ...center,
        turn: (index * 720) / RAYS,
      }),
    ),
  ];
}

/** Outline with so many points about the origin, as far out and as far in. */
function star(points: number, outer: number, inner: number): string {
  const corners = Array.from({ length: points * 2 }, (_, index) => {
    const angle = (index * Math.PI) / points;
    const radius = index % 2 === 0 ? outer : inner;
    return `${(Math.sin(angle) * radius).toFixed(2)} ${(-Math.cos(angle) * radius).toFixed(2)}`;
  });
  return `M${corners.join("L")}Z`;
}

const LEAF = "M0-12C9-7 9 5 0 12C-9 5-9-7 0-12Z";

/** Outlines of a season, about the origin and some twelve units out. */
const MOTIFS: Readonly<Record<Season, readonly string[]>> = {
  spring: [
    [0, 72, 144, 216, 288]
      .map((angle) => {
        const turn = (angle * Math.PI) / 180;
        return circle(Math.sin(turn) * 6.5, -Math.cos(turn) * 6.5, 4.6);
      })
      .join(""),
    LEAF,
  ],
  summer: [star(12, 12, 7), circle(0, 0, 6)],
  autumn: [LEAF, LEAF],
  winter: [star(6, 12, 3), circle(0, 0, 4)],
};

/** Place of a motif: shares of the sheet's sides, size and turn. */
type Motif = { x: number; y: number; size: number; turn: number };

/** Motifs of an upright panel. They leave the middle to wheel and words. */
const STREWN: readonly Motif[] = [
  { x: 0.015, y: 0.015, size: 1.7, turn: 12 },
  { x: 0.985, y: 0.015, size: 1.9, turn: 40 },
  { x: 0.13, y: 0.25, size: 1.2, turn: 70 },
  { x: 0.89, y: 0.24, size: 1.3, turn: 110 },
  { x: 0.07, y: 0.37, size: 2.1, turn: 25 },
  { x: 0.94, y: 0.38, size: 1.9, turn: 330 },
  { x: 0.17, y: 0.47, size: 1.3, turn: 200 },
  { x: 0.85, y: 0.49, size: 1.5, turn: 160 },
  { x: 0.22, y: 0.31, size: 0.8, turn: 280 },
  { x: 0.79, y: 0.32, size: 0.9, turn: 95 },
  { x: 0.985, y: 0.7, size: 1.2, turn: 15 },
  { x: 0.025, y: 0.6, size: 1.1, turn: 50 },
];

/** Motifs of a panel that lies across, which has room beside its wheel and along its edges alone. */
const STREWN_ACROSS: readonly Motif[] = [
  { x: 0.002, y: 0.01, size: 1.1, turn: 12 },
  { x: 0.035, y: 0.53, size: 1, turn: 40 },
  { x: 0.373, y: 0.55, size: 1, turn: 70 },
  { x: 0.385, y: 0.01, size: 0.9, turn: 110 },
  { x: 0.995, y: 0.18, size: 0.9, turn: 330 },
  { x: 0.995, y: 0.52, size: 1.1, turn: 200 },
  { x: 0.993, y: 0.8, size: 0.8, turn: 160 },
];

function motifs(season: Season, width: number, height: number, unit: number): Shape[] {
  const outlines = MOTIFS[season];
  const colors = SEASON_INKS[season].motifs;
  const places = width > height ? STREWN_ACROSS : STREWN;
  return places.map(({ x, y, size, turn }, index) =>
    fill(outlines[index % outlines.length] ?? LEAF, colors[index % colors.length] ?? MUTED, {
      x: x * width,
      y: y * height,
      scale: size * unit,
      turn,
    }),
  );
}
