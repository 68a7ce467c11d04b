import { PAPER_WORDS } from "./paper-words.ts";
import { line, mm, type Panel, type Shape, type Sheet, type Typesetter } from "./poster-drawing.ts";
import { BLEED, inksOf } from "./poster-look.ts";
import { mayHaveMarks, type PosterFormat, type PosterOptions } from "./poster-options.ts";
import {
  across,
  billCard,
  type PanelContext,
  type PosterContent,
  type Size,
  strip,
  upright,
} from "./poster-panels.ts";

/** How far a mark is from what is cut, how long it is, and what of the sheet lies around the cut, in points. */
const LENGTH = mm(4);
const AROUND = BLEED + LENGTH + mm(1);

/** A sheet of one panel with its bleed and the marks to cut along, as a printer wants it. */
function withCropMarks(sheet: Sheet): Sheet {
  const { width, height } = sheet;
  const ends = [AROUND - BLEED - LENGTH, AROUND - BLEED] as const;
  const marks = [AROUND, AROUND + width]
    .flatMap((x) => [
      `M${x} ${ends[0]}V${ends[1]}`,
      `M${x} ${height + 2 * AROUND - ends[0]}V${height + 2 * AROUND - ends[1]}`,
    ])
    .concat(
      [AROUND, AROUND + height].flatMap((y) => [
        `M${ends[0]} ${y}H${ends[1]}`,
        `M${width + 2 * AROUND - ends[0]} ${y}H${width + 2 * AROUND - ends[1]}`,
      ]),
    );
  return {
    width: width + 2 * AROUND,
    height: height + 2 * AROUND,
    trim: { x: AROUND, y: AROUND, width, height },
    panels: sheet.panels.map((panel) => ({
      ...panel,
      x: panel.x + AROUND,
      y: panel.y + AROUND,
      bleed: BLEED,
    })),
    marks: marks.map((d) => line(d, "#000000", 0.4)),
  };
}

const A3 = { width: mm(297), height: mm(420) };
const A4 = { width: mm(210), height: mm(297) };
const A5 = { width: mm(148), height: mm(210) };
const A6 = { width: mm(105), height: mm(148) };
const A7_ACROSS = { width: mm(105), height: mm(74.25) };

const CUT = "#B9B3A6";

/** Dashed line to fold or to cut along, from edge to edge. */
const dashes = (d: string) => line(d, CUT, 0.6, 3);

function sheet(size: Size, panels: readonly Panel[], marks: readonly Shape[] = []): Sheet {
  return { ...size, trim: null, panels, marks };
}

function panel(
  x: number,
  y: number,
  size: Size,
  shapes: readonly Shape[],
  isTurned = false,
): Panel {
  return { x, y, ...size, bleed: 0, isTurned, shapes };
}

/** As many panels of a size as a sheet of A4 holds, with where to cut between them. */
function tiled(size: Size, shapes: readonly Shape[]): Sheet {
  const [columns, rows] = [A4.width / size.width, A4.height / size.height].map(Math.round);
  const count = (number = 1) => Array.from({ length: number }, (_, index) => index);
  return sheet(
    A4,
    count(columns).flatMap((column) =>
      count(rows).map((row) => panel(column * size.width, row * size.height, size, shapes)),
    ),
    [
      ...count(columns)
        .slice(1)
        .map((column) => dashes(`M${column * size.width} 0V${A4.height}`)),
      ...count(rows)
        .slice(1)
        .map((row) => dashes(`M0 ${row * size.height}H${A4.width}`)),
    ],
  );
}

const single = (size: Size) => (context: PanelContext) =>
  sheet(size, [panel(0, 0, size, upright(context, size))]);

const rolled = (width: number) => (context: PanelContext) => {
  const { shapes, ...size } = strip(context, width);
  return sheet(size, [panel(0, 0, size, shapes)]);
};

const LAYOUTS: Readonly<Record<PosterFormat, (context: PanelContext) => Sheet>> = {
  window: single(A3),
  poster: single(A4),
  flyer: single(A5),
  sticker: single(A6),
  tent: (context) => {
    const half = { width: A5.width, height: A5.height / 2 };
    const shapes = across(context, half);
    return sheet(
      A5,
      [panel(0, 0, half, shapes, true), panel(0, half.height, half, shapes)],
      [dashes(`M0 ${half.height}H${A5.width}`)],
    );
  },
  stickers: (context) => tiled(A6, upright(context, A6)),
  bill: (context) => tiled(A7_ACROSS, billCard(context, A7_ACROSS)),
  strip80: rolled(mm(80)),
  strip58: rolled(mm(58)),
};

/** The page of a format. */
export function layOut(
  format: PosterFormat,
  content: PosterContent,
  options: PosterOptions,
  setter: Typesetter,
): Sheet {
  const inks = inksOf(options.style, options.season, content.color);
  const shown = options.showsPrizes ? content : { ...content, best: [] };
  const made = LAYOUTS[format]({
    content: shown,
    options,
    words: PAPER_WORDS[options.language],
    inks,
    setter,
  });
  return options.hasCropMarks && mayHaveMarks(format) ? withCropMarks(made) : made;
}
