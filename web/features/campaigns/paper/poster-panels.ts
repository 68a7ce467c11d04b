import { legible } from "../../../ui/wheel/wheel-geometry.ts";
import type { PaperWords } from "./paper-words.ts";
import { fill, line, mm, type Picture, type Shape, type Typesetter } from "./poster-drawing.ts";
import { fitText } from "./poster-fit.ts";
import { BLEED, backdrop, type PosterInks } from "./poster-look.ts";
import type { PosterOptions } from "./poster-options.ts";
import {
  ARROW,
  circle,
  codeCard,
  MUTED,
  type QrOutline,
  standing,
  WHITE,
  wordmark,
  wordmarkWidth,
} from "./poster-parts.ts";
import { prizePicture } from "./poster-prize.ts";
import { type PosterSegment, wheel } from "./poster-wheel.ts";

/** Content of a poster. */
export type PosterContent = {
  storeName: string;
  segments: readonly PosterSegment[];
  /** Up to three prizes, the best first. */
  best: readonly string[];
  qr: QrOutline;
  /** Address of the rules of the draw, as one types it. */
  rules: string;
  hasWordmark: boolean;
  /** The merchant's, in the place of the product's name; null without one. */
  logo: Picture | null;
  /** The merchant's colour, `#rrggbb`; null without one. */
  color: string | null;
};

/** Width of the A4 sheet that the upright panel's measures are given for, and of the A6 that the one across is. */
const UPRIGHT_FOR = mm(210);
const ACROSS_FOR = mm(148);
const UPRIGHT_HEIGHT = mm(297);

/** Least size of the small print, in points. */
const SMALL_PRINT = 6;

/** Modules of quiet zone that a code needs on each side. */
const QUIET_ZONE = 4;

export type Size = { width: number; height: number };

/** All that a panel is drawn with. */
export type PanelContext = {
  content: PosterContent;
  options: PosterOptions;
  /** Printed words, in the language of the options. */
  words: PaperWords;
  inks: PosterInks;
  setter: Typesetter;
};

/** How wide a card is that holds a code of this side. */
const cardOf = (qr: QrOutline, side: number) => side * (1 + (2 * QUIET_ZONE) / qr.size);

/** « Tentez votre chance » and the best prizes, each with the colour of its segment. */
function bestPrizes(
  { content, words, inks, setter }: PanelContext,
  box: { x: number; y: number; width: number },
  sizes: { title: number; titleHeight: number; row: number },
): Shape[] {
  const { best, segments } = content;
  const { title, titleHeight, row } = sizes;
  const rowTop = box.y + titleHeight;
  const hasPictures = segments.some(({ picture }) => picture !== null);
  const dot = row * (hasPictures ? 0.4 : 0.24);
  return [
    ...fitText(
      {
        text: words.chance,
        face: "display",
        color: inks.ink,
        size: title,
        ...box,
        height: titleHeight,
        align: "left",
      },
      setter,
    ),
    ...best.flatMap((prize, index) => {
      const y = rowTop + index * row;
      const won = segments.find((segment) => segment.prize === prize);
      const color = won?.color ?? inks.accent;
      const center = { x: box.x + dot, y: y + row / 2 };
      return [
        fill(circle(center.x, center.y, dot), WHITE),
        fill(circle(center.x, center.y, dot * 0.9), legible(color).color),
        ...(won?.picture ? prizePicture(won.picture, color, { ...center, reach: dot * 0.62 }) : []),
        ...fitText(
          {
            text: prize,
            face: "display",
            color: inks.ink,
            size: row * 0.42,
            x: box.x + 2 * dot + row * 0.2,
            // A name of several lines stays apart from the next.
            y: y + row * 0.05,
            width: box.width - 2 * dot - row * 0.2,
            height: row * 0.9,
            align: "left",
          },
          setter,
        ),
      ];
    }),
  ];
}

/** Rules and who made it, at the foot of a sheet: dark on paper whatever lies above. */
function foot(
  { content, options, words, inks, setter }: PanelContext,
  box: { width: number; top: number; bottom: number; margin: number; mark: number; size: number },
): Shape[] {
  const { width, top, bottom, margin, mark, size } = box;
  const { hasWordmark, logo, rules } = content;
  const height = bottom - top;
  const onPaper = options.style === "bright";
  const badge = { width: mark * 4.5, height: mark * 1.3 };
  const signed = hasWordmark ? wordmarkWidth(mark) : logo ? badge.width : 0;
  return [
    ...(onPaper
      ? [fill(`M${-BLEED} ${top}H${width + BLEED}V${bottom + BLEED}H${-BLEED}Z`, WHITE)]
      : []),
    ...fitText(
      {
        text: words.smallPrint(rules),
        face: "text",
        color: onPaper ? MUTED : inks.muted,
        size,
        shrink: 0.95,
        x: margin,
        width: width - 2 * margin - (signed > 0 ? signed + margin : 0),
        y: top + height * 0.06,
        height: height * 0.88,
        align: "left",
      },
      setter,
    ),
    ...(hasWordmark
      ? wordmark(width - margin, top + (height + mark) / 2, mark)
      : standing(logo, width - margin - badge.width / 2, top + (height + badge.height) / 2, badge)),
  ];
}

/** An upright panel: the whole wheel, below it the code beside the prizes. */
export function upright(context: PanelContext, { width, height }: Size): Shape[] {
  const { content, options, words, inks, setter } = context;
  const unit = width / UPRIGHT_FOR;
  const at = (y: number) => (y / UPRIGHT_HEIGHT) * height;
  const margin = 30 * unit;
  const whole = { x: margin, width: width - 2 * margin, align: "center" as const };
  const center = { x: width / 2, y: at(316) };
  const side = width * 0.45;
  const card = cardOf(content.qr, side);
  const cardTop = at(796) - card;
  const column = { x: margin + card + 18 * unit, width: width - 2 * margin - card - 18 * unit };
  const hasPrizes = content.best.length > 0;
  const scanTop = hasPrizes ? cardTop + 196 * unit : cardTop + 60 * unit;
  return [
    ...backdrop(options.style, options.season, inks, { width, height, center, unit }),
    ...fitText(
      {
        text: content.storeName,
        face: "display",
        color: inks.ink,
        size: 30 * unit,
        y: at(20),
        height: at(46),
        ...whole,
      },
      setter,
    ),
    ...fitText(
      {
        text: words.headline,
        face: "display",
        color: inks.ink,
        size: 50 * unit,
        // Two lines are larger than one that shrinks.
        shrink: 0.9,
        y: at(66),
        height: at(112),
        ...whole,
      },
      setter,
    ),
    ...wheel(
      content.segments,
      { center, radius: 126 * unit, pointerAt: 0, isNamed: options.showsPrizes },
      setter,
    ),
    ...codeCard(content.qr, { x: margin, y: cardTop, width: card, side }),
    ...(hasPrizes
      ? bestPrizes(
          context,
          { ...column, y: cardTop },
          {
            title: 24 * unit,
            titleHeight: 64 * unit,
            row: 40 * unit,
          },
        )
      : []),
    ...fitText(
      {
        text: words.scan,
        face: "display",
        color: inks.ink,
        size: 21 * unit,
        ...column,
        y: scanTop,
        height: 78 * unit,
        align: "left",
      },
      setter,
    ),
    fill(ARROW, inks.accent, { x: column.x, y: scanTop + 102 * unit, scale: unit }),
    ...foot(context, {
      width,
      top: at(803),
      bottom: height,
      margin,
      mark: 20 * unit,
      size: Math.max(SMALL_PRINT, 10 * unit),
    }),
  ];
}

/** A panel that lies across: words and the wheel at the left, the code at the right. */
export function across(context: PanelContext, { width, height }: Size): Shape[] {
  const { content, options, words, inks, setter } = context;
  const unit = width / ACROSS_FOR;
  const margin = 14 * unit;
  const side = width * 0.45;
  const card = cardOf(content.qr, side);
  const left = width - margin - card;
  const column = { x: margin, width: left - margin - 10 * unit, align: "left" as const };
  const hasPrizes = content.best.length > 0;
  const center = { x: column.x + column.width / 2, y: (hasPrizes ? 137 : 170) * unit };
  const text = (said: string, size: number, y: number, room: number) =>
    fitText(
      {
        text: said,
        face: "display",
        color: inks.ink,
        size: size * unit,
        y: y * unit,
        height: room * unit,
        ...column,
      },
      setter,
    );
  return [
    ...backdrop(options.style, options.season, inks, { width, height, center, unit: unit * 0.7 }),
    ...(hasPrizes
      ? [...text(content.storeName, 13, 10, 26), ...text(words.headline, 17, 36, 44)]
      : [...text(content.storeName, 14, 14, 32), ...text(words.headline, 17, 44, 52)]),
    ...wheel(
      content.segments,
      {
        center,
        radius: (hasPrizes ? 50 : 60) * unit,
        pointerAt: 0,
        isNamed: options.showsPrizes,
      },
      setter,
    ),
    ...(hasPrizes
      ? bestPrizes(
          context,
          { ...column, y: 191 * unit },
          { title: 11.5 * unit, titleHeight: 16 * unit, row: 20 * unit },
        )
      : []),
    ...codeCard(content.qr, { x: left, y: 12 * unit, width: card, side }),
    ...fitText(
      {
        text: words.scan,
        face: "display",
        color: inks.ink,
        size: 11 * unit,
        x: left,
        width: card,
        y: 12 * unit + card,
        height: 264 * unit - 12 * unit - card,
        align: "center",
      },
      setter,
    ),
    ...foot(context, {
      width,
      top: 268 * unit,
      bottom: height,
      margin,
      mark: 11 * unit,
      size: Math.max(SMALL_PRINT, 7 * unit),
    }),
  ];
}

/** A card to lay beside the bill: no prizes, for want of room. */
export function billCard(context: PanelContext, { width, height }: Size): Shape[] {
  const { content, options, words, inks, setter } = context;
  const margin = 12;
  const side = width * 0.45;
  const card = cardOf(content.qr, side);
  const left = width - 10 - card;
  const column = { x: margin, width: left - margin - 8, align: "left" as const };
  const center = { x: column.x + column.width / 2, y: 144 };
  const text = (said: string, size: number, y: number, room: number) =>
    fitText(
      { text: said, face: "display", color: inks.ink, size, y, height: room, ...column },
      setter,
    );
  return [
    ...backdrop(options.style, options.season, inks, { width, height, center, unit: 0.45 }),
    ...text(content.storeName, 11, 10, 28),
    ...text(words.headline, 14, 38, 64),
    ...wheel(
      content.segments,
      { center, radius: 34, pointerAt: 0, isNamed: options.showsPrizes },
      setter,
    ),
    ...codeCard(content.qr, { x: left, y: 10, width: card, side }),
    ...foot(context, { width, top: 186, bottom: height, margin, mark: 8, size: 5.5 }),
  ];
}

/** A strip for the printer of a till, which knows black alone: as long as its content. */
export function strip(context: PanelContext, width: number): Size & { shapes: Shape[] } {
  const { content, words, setter } = context;
  const { best, hasWordmark, logo, qr, rules } = content;
  const unit = width / mm(58);
  const margin = 14 * unit;
  const side = 104 * unit;
  const card = cardOf(qr, side) / unit;
  const whole = { x: margin, width: width - 2 * margin, align: "center" as const };
  const text = (said: string, size: number, y: number, room: number) =>
    fitText(
      {
        text: said,
        face: "display",
        color: "#000000",
        size: size * unit,
        y: y * unit,
        height: room * unit,
        ...whole,
      },
      setter,
    );
  const codeTop = best.length > 0 ? 110 + best.length * 14 : 90;
  const below = codeTop + card;
  const isSigned = hasWordmark || logo !== null;
  const height = (below + (isSigned ? 96 : 72)) * unit;
  const shapes = [
    fill(`M0 0H${width}V${height}H0Z`, WHITE),
    ...text(content.storeName, 13, 12, 34),
    ...text(words.headline, 15, 48, 42),
    ...(best.length > 0 ? text(words.chance, 11, 94, 16) : []),
    ...best.flatMap((prize, index) => text(prize, 10, 111 + index * 14, 12)),
    fill(qr.path, "#000000", {
      x: (width - side) / 2,
      y: codeTop * unit + (card * unit - side) / 2,
      scale: side / qr.size,
    }),
    ...text(words.scan, 11, below, 18),
    line(`M${margin} ${(below + 22) * unit}H${width - margin}`, "#000000", 0.6 * unit, 3 * unit),
    ...fitText(
      {
        text: words.smallPrint(rules),
        face: "text",
        color: "#000000",
        size: 7 * unit,
        shrink: 0.95,
        y: (below + 26) * unit,
        height: 40 * unit,
        ...whole,
      },
      setter,
    ),
    ...(hasWordmark
      ? wordmark((width + wordmarkWidth(12 * unit)) / 2, height - 10 * unit, 12 * unit)
      : standing(logo, width / 2, height - 8 * unit, { width: 100 * unit, height: 16 * unit })),
  ];
  return { width, height, shapes };
}
