import type { Language } from "#domain/text/languages.ts";

/** Options of a poster: known to the form, without the code that draws. */

/** Formats that can be printed. */
export const POSTER_FORMATS = [
  "window",
  "poster",
  "flyer",
  "tent",
  "sticker",
  "stickers",
  "bill",
  "strip80",
  "strip58",
] as const;
export type PosterFormat = (typeof POSTER_FORMATS)[number];

/** Full of the merchant's colour, on white paper with little ink, or in a season. */
export const POSTER_STYLES = ["bright", "plain", "season"] as const;
export type PosterStyle = (typeof POSTER_STYLES)[number];

export const SEASONS = ["spring", "summer", "autumn", "winter"] as const;
export type Season = (typeof SEASONS)[number];

export type PosterOptions = {
  style: PosterStyle;
  season: Season;
  /** Of what is printed; prizes that the merchant has not translated keep their own words. */
  language: Language;
  /** Whether prizes are named, on the wheel and beside the code. */
  showsPrizes: boolean;
  hasCropMarks: boolean;
};

/** Formats that a printer cuts out of a larger sheet; the rest is for the shop's own printer. */
const TRIMMED: ReadonlySet<PosterFormat> = new Set(["window", "poster", "flyer", "sticker"]);

/** Whether a format can have bleed and crop marks. */
export const mayHaveMarks = (format: PosterFormat) => TRIMMED.has(format);

/** Whether a format is black alone, and has no style. */
export const isBlack = (format: PosterFormat) => format === "strip80" || format === "strip58";

/** The season of a day, in the north. */
export function seasonOf(day: Date): Season {
  const month = day.getMonth();
  if (month < 2 || month > 9) return "winter";
  if (month < 5) return "spring";
  return month < 8 ? "summer" : "autumn";
}
