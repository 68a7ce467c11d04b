import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as fontkit from "@cantoo/fontkit";
import subsetFont from "subset-font";

/**
 * `npm run faces`: the small files of the brand's faces, with the letters that `web/ui/faces.css` says they have. Each
 * must fit, with the headers of its answer, into what a server may send at once (`tests/server/site.test.ts`). Beside
 * them the faces of the monthly report, as a module: a hosted project's functions have no font files.
 */

const ROOT = new URL("../", import.meta.url);
const SHEET = new URL("web/ui/faces.css", ROOT);
const REPORT = new URL("supabase/functions/_shared/report/report-faces.ts", ROOT);
const PACKAGES = new URL("node_modules/", ROOT);

/**
 * Font features that text needs: distances between pairs, figures of one width, other shapes of
 * bold ones.
 */
const FEATURES = ["kern", "tnum", "rvrn"];

/** Entries of a font that say under which licence it may be passed on. */
const LICENCE = [13, 14];

/** The files to make, and what each is cut from. */
const CUTS = [
  {
    name: "figtree-french.woff2",
    from: "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2",
    // The weights that the style sheet offers.
    variationAxes: { wght: { min: 400, max: 800 } },
  },
  {
    name: "bricolage-grotesque-french-700.woff2",
    from: "@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff2",
  },
] as const;

/** The faces of the report, French first: a PDF knows no variable fonts, and sets letters without kerning. */
const REPORT_CUTS = {
  display: ["latin", "latin-ext"].map(
    (script) =>
      `@fontsource/bricolage-grotesque/files/bricolage-grotesque-${script}-700-normal.woff`,
  ),
  text: ["latin", "latin-ext"].map(
    (script) => `@fontsource/figtree/files/figtree-${script}-500-normal.woff`,
  ),
};

/** All letters of a font, without what a PDF makes no use of. */
async function forReport(from: string): Promise<string> {
  const bytes = await readFile(new URL(from, PACKAGES));
  const font = fontkit.create(bytes);
  if (!("characterSet" in font)) throw new Error(`${from}: a collection`);
  const cut = await subsetFont(bytes, String.fromCodePoint(...font.characterSet), {
    targetFormat: "sfnt",
    keepFeatures: [],
    preserveNameIds: LICENCE,
  });
  return Buffer.from(cut).toString("base64");
}

/** The letters that the style sheet promises of a file. */
function lettersOf(sheet: string, name: string): string {
  const [, face = ""] = sheet.split(`/${name}"`);
  const [, ranges = ""] = /unicode-range:([^;]+);/.exec(face) ?? [];
  const letters = Array.from(ranges.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g), ([, from, to]) => {
    const first = Number.parseInt(from ?? "", 16);
    const last = to === undefined ? first : Number.parseInt(to, 16);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  return String.fromCodePoint(...letters.flat());
}

const sheet = await readFile(SHEET, "utf8");
for (const { name, from, ...options } of CUTS) {
  const cut = await subsetFont(await readFile(new URL(from, PACKAGES)), lettersOf(sheet, name), {
    ...options,
    targetFormat: "woff2",
    keepFeatures: FEATURES,
    preserveNameIds: LICENCE,
  });
  const file = new URL(`web/ui/faces/${name}`, ROOT);
  await writeFile(file, cut);
  process.stdout.write(`${fileURLToPath(file)}: ${cut.length}\n`);
}

const [display, text] = await Promise.all(
  Object.values(REPORT_CUTS).map((files) => Promise.all(files.map(forReport))),
);
await writeFile(
  REPORT,
  `/** Faces of the monthly report (OFL), each as its files in base64; made by \`npm run faces\`. */
export const REPORT_FACES = ${JSON.stringify({ display, text }, null, 2)} as const;
`,
);
process.stdout.write(`${fileURLToPath(REPORT)}: ${(await readFile(REPORT)).length}\n`);
