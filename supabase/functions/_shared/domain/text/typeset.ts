import type { Language } from "./languages.ts";
import { LETTER_TEXTS } from "./letter-texts.ts";

const NARROW = "\u202f";
const FULL = "\u00a0";

/** A space as people type it, or as one of the two. */
const SPACE = "[ \u00a0\u202f]";

/** Signs in code are not punctuation: `!mt-2`, `?page=2`, `!=`. */
const beforeSign = new RegExp(`${SPACE}(?=»|[?!;%]+(?![\\p{L}\\p{N}_[=&-]))`, "gu");
/** The same: `:first-child`, `::uuid`. */
const beforeColon = new RegExp(`${SPACE}(?=:(?:\\s|$)|€)`, "gu");
const afterQuote = new RegExp(`«${SPACE}`, "g");

/** The longest first, since one may begin another. */
const byLength = [...LETTER_TEXTS].sort((one, other) => other.length - one.length);
const kept = new RegExp(`(${byLength.join("|").replaceAll(".", "\\.")})`);

/** Within a word, and after one that is cut short: « l'avis », « jusqu'à », also before what is filled in. A quoted word has none. */
const frenchApostrophe =
  /(?<=\p{L})'(?=[\p{L}\p{N}])|(?<=(?<!\p{L})(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu))'/giu;
const apostrophe = /(?<=\p{L})'/gu;

/**
 * A text as its language is set: the typographic apostrophe in each of them; in French the spaces of the Imprimerie
 * nationale, narrow before `? ! ; %` and within « », full before `:` and `€`, none of which ends a line. Done twice it
 * changes nothing more. What the specification prints with a straight apostrophe keeps it.
 */
export function typeset(text: string, language: Language = "fr"): string {
  const sign = language === "fr" ? frenchApostrophe : apostrophe;
  const written = text
    .split(kept)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(sign, "’")))
    .join("");
  if (language !== "fr") return written;
  return written
    .replace(beforeSign, NARROW)
    .replace(beforeColon, FULL)
    .replace(afterQuote, `«${NARROW}`);
}
