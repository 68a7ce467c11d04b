import { line, mm, type Sheet } from "./poster-drawing.ts";
import { BLEED } from "./poster-look.ts";

/** How far a mark stands from what is cut, how long it is, and what of the sheet lies around the cut, in points. */
const LENGTH = mm(4);
const AROUND = BLEED + LENGTH + mm(1);

/** A sheet of one panel with its bleed and the marks to cut along, as a printer wants it. */
export function withCropMarks(sheet: Sheet): Sheet {
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
