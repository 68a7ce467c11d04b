/** A sheet of paper as plain data, in points with y downwards: the PDF and its preview are drawn from the same. */

/** The two faces of the brand (design, section 8.4). */
export type FaceName = "display" | "text";

/** Place of a path: moved, then turned clockwise in degrees, then scaled. */
export type Place = { x: number; y: number; scale?: number; turn?: number };

/** A picture made of pixels: for paper as a PNG, for the screen by its address. */
export type Picture = {
  png: Uint8Array<ArrayBuffer>;
  href: string;
  width: number;
  height: number;
};

/** One thing on paper; texts start at x, on the baseline y, and run clockwise from there where they are turned (degrees). */
export type Shape =
  | { kind: "fill"; d: string; place: Place; color: string }
  | { kind: "line"; d: string; place: Place; color: string; width: number; dash?: number }
  | {
      kind: "text";
      text: string;
      face: FaceName;
      size: number;
      x: number;
      y: number;
      width: number;
      color: string;
      turn?: number;
    }
  | { kind: "picture"; picture: Picture; x: number; y: number; width: number; height: number };

/** A part of a page that nothing leaves by more than its bleed; one that is turned is upside down. */
export type Panel = {
  x: number;
  y: number;
  width: number;
  height: number;
  bleed: number;
  isTurned: boolean;
  shapes: readonly Shape[];
};

/** A page, with what lies over its panels: where to fold and to cut. */
export type Sheet = {
  width: number;
  height: number;
  /** Page as a printer cuts it; null where it is the whole page. */
  trim: { x: number; y: number; width: number; height: number } | null;
  panels: readonly Panel[];
  marks: readonly Shape[];
};

/** Measures of the fonts that a layout needs. */
export type Typesetter = {
  /** Width of a text, in points. */
  measure: (text: string, face: FaceName, size: number) => number;
};

const ORIGIN: Place = { x: 0, y: 0 };

/** Millimetres in points. */
export function mm(length: number): number {
  return (length * 72) / 25.4;
}

/** A filled outline in the panel's own coordinates, or placed. */
export function fill(d: string, color: string, place: Place = ORIGIN): Shape {
  return { kind: "fill", d, place, color };
}

/** A stroked outline in the panel's own coordinates. */
export function line(d: string, color: string, width: number, dash?: number): Shape {
  return { kind: "line", d, place: ORIGIN, color, width, ...(dash !== undefined && { dash }) };
}

/** Outline of a rectangle with round corners. */
export function roundedRect(x: number, y: number, width: number, height: number, r: number) {
  return `M${x + r} ${y}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${height - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${2 * r - width}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - height}a${r} ${r} 0 0 1 ${r} ${-r}Z`;
}
