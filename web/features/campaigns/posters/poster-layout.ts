import {
  line,
  mm,
  type Panel,
  type Picture,
  type Shape,
  type Sheet,
  type Typesetter,
} from "./poster-drawing.ts";
import { fitText } from "./poster-fit.ts";
import {
  INK,
  MUTED,
  type QrOutline,
  standing,
  ticket,
  wordmark,
  wordmarkWidth,
} from "./poster-parts.ts";
import { type PosterSegment, wheel } from "./poster-wheel.ts";
import { postersCopy } from "./posters.copy.ts";

const copy = postersCopy.paper;

/** What can be printed. */
export type PosterFormat = "poster" | "tent" | "sticker" | "stickers";

/** What a poster shows. */
export type PosterContent = {
  storeName: string;
  segments: readonly PosterSegment[];
  qr: QrOutline;
  /** Address of the rules of the draw, as one types it. */
  rules: string;
  hasWordmark: boolean;
  /** The merchant's, in the place of the product's name; null without one. */
  logo: Picture | null;
};

const A4 = { width: mm(210), height: mm(297) };
const A5 = { width: mm(148), height: mm(210) };
const A6 = { width: mm(105), height: mm(148) };

/** Width of the A4 sheet that the upright panel's measures are given for. */
const DRAWN_FOR = A4.width;

/** Least size of the small print, in points. */
const SMALL_PRINT = 6.5;

type Size = { width: number; height: number };

/** A panel that stands upright: half a wheel hangs from its top, the code stands below. */
function upright(content: PosterContent, { width, height }: Size, setter: Typesetter): Shape[] {
  const unit = width / DRAWN_FOR;
  const at = (y: number) => (y / A4.height) * height;
  const margin = 48 * unit;
  const across = { x: margin, width: width - 2 * margin, align: "center" as const };
  const card = { width: 236 * unit, height: 282 * unit };
  const left = (width - card.width) / 2;
  const isSigned = content.hasWordmark || content.logo !== null;
  return [
    ...wheel(
      content.segments,
      {
        center: { x: width / 2, y: 0 },
        radius: 236 * unit,
        pointerAt: 180,
        panel: { width, height },
      },
      setter,
    ),
    ...fitText(
      {
        text: content.storeName,
        face: "display",
        color: INK,
        size: 32 * unit,
        y: at(262),
        height: at(62),
        ...across,
      },
      setter,
    ),
    ...fitText(
      {
        text: copy.headline,
        face: "display",
        color: INK,
        size: 46 * unit,
        y: at(328),
        height: at(104),
        ...across,
      },
      setter,
    ),
    ...ticket(content.qr, { x: left, y: at(446), side: 188 * unit, ...card }),
    ...fitText(
      {
        text: copy.scan,
        face: "display",
        color: INK,
        size: 18 * unit,
        x: left + 14 * unit,
        width: card.width - 28 * unit,
        y: at(446) + 240 * unit,
        height: 38 * unit,
        align: "center",
      },
      setter,
    ),
    ...fitText(
      {
        text: copy.smallPrint(content.rules),
        face: "text",
        color: MUTED,
        size: Math.max(SMALL_PRINT, 12 * unit),
        shrink: 0.95,
        y: at(738),
        height: at(isSigned ? 54 : 78),
        ...across,
      },
      setter,
    ),
    ...(content.hasWordmark
      ? wordmark((width + wordmarkWidth(20 * unit)) / 2, at(822), 20 * unit)
      : standing(content.logo, width / 2, at(824), { width: 200 * unit, height: 26 * unit })),
  ];
}

/** A panel that lies across: a quarter of a wheel in its corner, words at the left, the code at the right. */
function across(content: PosterContent, { width, height }: Size, setter: Typesetter): Shape[] {
  const margin = mm(8);
  const card = { width: 168, height: 206 };
  const left = width - margin - card.width;
  const column = { x: margin, width: left - 2 * margin, align: "left" as const };
  const foot = height - margin;
  const markHeight = 11;
  const badge = { width: 56, height: 18 };
  const signed = content.hasWordmark
    ? wordmarkWidth(markHeight) + margin
    : content.logo
      ? badge.width + margin
      : 0;
  return [
    ...wheel(
      content.segments,
      { center: { x: 0, y: 0 }, radius: 104, pointerAt: 135, panel: { width, height } },
      setter,
    ),
    ...fitText(
      {
        text: content.storeName,
        face: "display",
        color: INK,
        size: 17,
        y: 112,
        height: 46,
        ...column,
      },
      setter,
    ),
    ...fitText(
      {
        text: copy.headline,
        face: "display",
        color: INK,
        size: 27,
        y: 160,
        height: 72,
        ...column,
      },
      setter,
    ),
    ...ticket(content.qr, { x: left, y: margin, side: 132, ...card }),
    ...fitText(
      {
        text: copy.scan,
        face: "display",
        color: INK,
        size: 13,
        x: left + 8,
        width: card.width - 16,
        y: margin + 170,
        height: 34,
        align: "center",
      },
      setter,
    ),
    ...fitText(
      {
        text: copy.smallPrint(content.rules),
        face: "text",
        color: MUTED,
        size: 7.5,
        shrink: 0.95,
        x: margin,
        width: width - 2 * margin - signed,
        y: foot - 24,
        height: 26,
        align: "left",
      },
      setter,
    ),
    ...(content.hasWordmark
      ? wordmark(width - margin, foot - 4, markHeight)
      : standing(content.logo, width - margin - badge.width / 2, foot, badge)),
  ];
}

const CUT = "#B9B3A6";

/** Dashed line to fold or to cut along, from edge to edge. */
const dashes = (d: string) => line(d, CUT, 0.6, 3);

function sheet(size: Size, panels: readonly Panel[], marks: readonly Shape[] = []): Sheet {
  return { ...size, panels, marks };
}

function panel(x: number, y: number, size: Size, shapes: readonly Shape[], isTurned = false) {
  return { x, y, ...size, isTurned, shapes };
}

const LAYOUTS: Readonly<
  Record<PosterFormat, (content: PosterContent, setter: Typesetter) => Sheet>
> = {
  poster: (content, setter) => sheet(A4, [panel(0, 0, A4, upright(content, A4, setter))]),
  tent: (content, setter) => {
    const half = { width: A5.width, height: A5.height / 2 };
    const shapes = across(content, half, setter);
    return sheet(
      A5,
      [panel(0, 0, half, shapes, true), panel(0, half.height, half, shapes)],
      [dashes(`M0 ${half.height}H${A5.width}`)],
    );
  },
  sticker: (content, setter) => sheet(A6, [panel(0, 0, A6, upright(content, A6, setter))]),
  stickers: (content, setter) => {
    const shapes = upright(content, A6, setter);
    const rest = A4.height / 2;
    const corners = [0, A6.width].flatMap((x) => [0, rest].map((y) => ({ x, y })));
    return sheet(
      A4,
      corners.map(({ x, y }) => panel(x, y, A6, shapes)),
      [dashes(`M${A6.width} 0V${A4.height}`), dashes(`M0 ${rest}H${A4.width}`)],
    );
  },
};

/** The page of a format. */
export function layOut(format: PosterFormat, content: PosterContent, setter: Typesetter): Sheet {
  return LAYOUTS[format](content, setter);
}
