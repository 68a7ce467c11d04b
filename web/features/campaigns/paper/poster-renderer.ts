import { generate } from "lean-qr";
import { toSvgPath } from "lean-qr/extras/svg";
import { PRIZE_DRAWINGS } from "#domain/rules/prize-pictures.ts";
import type { CampaignPoster } from "#domain/schemas/back-office.ts";
import type { Logo } from "#domain/schemas/brand.ts";
import type { Language } from "#domain/text/languages.ts";
import { isLegible } from "#domain/text/legible.ts";
import { say, wordsIn } from "#domain/text/merchant-words.ts";
import { logoAddress } from "../../../ui/project-address.ts";
import { qrLink, rulesAddress } from "../posters/public-link.ts";
import { PAPER_WORDS } from "./paper-words.ts";
import type { Picture, Sheet } from "./poster-drawing.ts";
import { loadPosterFonts } from "./poster-fonts.ts";
import { layOut } from "./poster-layout.ts";
import type { PosterFormat, PosterOptions } from "./poster-options.ts";
import type { PosterContent } from "./poster-panels.ts";
import { printSheet } from "./poster-pdf.ts";

/** Draws and prints a campaign's posters. */
export type PosterRenderer = {
  sheet: (format: PosterFormat, options: PosterOptions) => Sheet;
  print: (format: PosterFormat, options: PosterOptions) => Promise<Blob>;
  /** Names that the sheet cannot print as they are written, since no font here has all of their signs. */
  changed: (options: PosterOptions) => readonly ChangedName[];
};

/** A name of the store or of a prize, and how it is printed: "" where a prize has its picture alone. */
export type ChangedName = { name: string; printed: string };

/** Loads what a campaign's posters need; they are drawn in the browser, and nothing is sent. */
export async function createPosterRenderer(poster: CampaignPoster): Promise<PosterRenderer> {
  const printed = poster.brand?.logo;
  const [fonts, logo] = await Promise.all([
    loadPosterFonts(),
    printed ? loadPosterLogo(printed) : null,
  ]);
  const qr = generate(qrLink(poster.slug));
  const named = (name: string, otherwise: string): ChangedName & { isWhole: boolean } => {
    const { text, missing } = fonts.printable(name);
    return {
      name,
      printed: isLegible(text, name) ? text : otherwise,
      isWhole: missing.length === 0,
    };
  };
  const store = (language: Language) => named(poster.store_name, PAPER_WORDS[language].welcome);
  const prize = (language: Language) => {
    const words = wordsIn(poster.words, language);
    return (name: string) => named(say(words, name), "");
  };
  const contentIn = (language: Language): PosterContent => ({
    storeName: store(language).printed,
    ...prizesIn(poster, (name) => prize(language)(name).printed),
    qr: { size: qr.size, path: toSvgPath(qr) },
    rules: rulesAddress(poster.slug),
    hasWordmark: !poster.white_label,
    logo,
    color: poster.brand?.color ?? null,
  });
  const sheet = (format: PosterFormat, options: PosterOptions) =>
    layOut(format, contentIn(options.language), options, fonts);
  return {
    sheet,
    changed: ({ language, showsPrizes }) => {
      const prizes = new Set(poster.segments.flatMap((segment) => segment.prize ?? []));
      const names = [store(language), ...(showsPrizes ? [...prizes].map(prize(language)) : [])];
      return names.filter(({ isWhole }) => !isWhole);
    },
    print: async (format, options) => {
      const { language } = options;
      const title = PAPER_WORDS[language].title(poster.store_name);
      const bytes = await printSheet(sheet(format, options), { title, language }, fonts);
      return new Blob([new Uint8Array(bytes)], { type: "application/pdf" });
    },
  };
}

/** The wheel and the best prizes as they are printed. A segment whose prize cannot be named has its picture alone. */
function prizesIn(
  { segments, best }: CampaignPoster,
  printed: (prize: string) => string,
): Pick<PosterContent, "segments" | "best"> {
  return {
    segments: segments.map(({ color, prize, picture }) => ({
      color,
      prize: prize === null ? null : printed(prize),
      picture: picture && PRIZE_DRAWINGS[picture],
    })),
    best: best.map(printed).filter((prize) => prize !== ""),
  };
}

/** Timeout of a logo on a slow connection. */
const TIMEOUT_MS = 120_000;

/** Fetches a merchant's logo for print; the PDF library reads PNG alone. */
async function loadPosterLogo({ print_path }: Logo): Promise<Picture> {
  const href = logoAddress(print_path);
  const response = await fetch(href, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error("The logo is not there.");
  const bitmap = await createImageBitmap(await response.blob());
  const { width, height } = bitmap;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("The logo cannot be drawn.");
  return { png: new Uint8Array(await blob.arrayBuffer()), href, width, height };
}
