import * as fontkit from "@cantoo/fontkit";
import display from "@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-800-normal.woff?url";
import displayExtended from "@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-ext-800-normal.woff?url";
import text from "@fontsource/figtree/files/figtree-latin-500-normal.woff?url";
import textExtended from "@fontsource/figtree/files/figtree-latin-ext-500-normal.woff?url";
import { drawnLetters, type FontRun, fontRuns } from "#domain/text/drawn-letters.ts";
import type { FaceName, Typesetter } from "./poster-drawing.ts";

/**
 * The two faces at the weight that paper takes (a PDF knows no variable fonts): French first, then the letters of the
 * other languages that are written in Latin.
 */
const FILES: Readonly<Record<FaceName, readonly string[]>> = {
  display: [display, displayExtended],
  text: [text, textExtended],
};

/** A font's file, and what it can draw. */
type OpenFont = { bytes: Uint8Array; font: fontkit.Font };

/** The faces, ready to measure and to embed. */
export type PosterFonts = Typesetter & {
  /** Files of a face, in the order that runs speak of. */
  files: (face: FaceName) => readonly Uint8Array[];
  /** A text in pieces of one font each. */
  runs: (text: string, face: FaceName) => FontRun[];
  /** A text in letters that both faces have, as near as can be, and the letters that none has. */
  printable: (text: string) => { text: string; missing: string[] };
};

/** Timeout of a font on a slow connection. */
const TIMEOUT_MS = 120_000;

async function openFont(url: string): Promise<OpenFont> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`font: ${answer.status}`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const font = fontkit.create(bytes);
  if (!("layout" in font)) throw new Error("font: a collection");
  return { bytes, font };
}

const open = (face: FaceName) => Promise.all(FILES[face].map(openFont));

/** Which of some fonts has a letter first; −1 when none has. */
function fontOf(fonts: readonly OpenFont[], letter: string): number {
  return fonts.findIndex(({ font }) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0));
}

/** Fetches the faces from where the page came from. */
export async function loadPosterFonts(): Promise<PosterFonts> {
  const [displayFonts, textFonts] = await Promise.all([open("display"), open("text")]);
  return createPosterFonts({ display: displayFonts, text: textFonts });
}

function createPosterFonts(faces: Readonly<Record<FaceName, readonly OpenFont[]>>): PosterFonts {
  const isKnown = (letter: string) =>
    fontOf(faces.display, letter) >= 0 && fontOf(faces.text, letter) >= 0;

  // The faces have no narrow space: where a browser makes one, a PDF takes the full one.
  const runs = (content: string, face: FaceName) =>
    fontRuns(content.replaceAll("\u202f", "\u00a0"), (letter) => fontOf(faces[face], letter));

  return {
    files: (face) => faces[face].map(({ bytes }) => bytes),
    runs,
    measure: (content, face, size) =>
      runs(content, face).reduce((sum, run) => {
        const font = faces[face][run.font]?.font;
        if (font === undefined) return sum;
        // As a PDF sets them: by the width of each letter, without kerning.
        const units = font.layout(run.text).glyphs.reduce((all, one) => all + one.advanceWidth, 0);
        return sum + (units / font.unitsPerEm) * size;
      }, 0),
    printable: (content) => {
      const { text, missing } = drawnLetters(content.replaceAll(/\s+/gu, " "), isKnown);
      return { text: text.trim(), missing };
    },
  };
}
