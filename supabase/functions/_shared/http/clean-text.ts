import { FROM_THE_RIGHT } from "../domain/text/isolated.ts";
import { trimEnds } from "../domain/text/trim-ends.ts";

/** Controls, signs of no width, and those that reverse what follows. */
const UNSEEN =
  /\p{Cc}|\u034f|[\u00ad\u180e\u200b\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e001f}]/gu;

/** Signs that reverse what follows, also in the cells, sentences or headers behind a text. */
const REVERSING = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Signs that show nothing by themselves, though others need them. */
const VISIBLE = /[^ \u00a0\u061c\u115f\u1160\u200c-\u200f\u202f\u2800\p{Variation_Selector}]/u;

/** Joiners after a letter of a script that does not join; others and emoji keep theirs. */
const JOINERS =
  /(?<![^\p{Cc} -\u058f\u10a0-\u10ff\u1d00-\u206f\u2c60-\u2d2f\u2de0-\u2dff\u3000-\ua4cf\ua640-\ua69f\ua720-\ua7ff\uac00-\ud7ff])[\u200c\u200d]+/gu;

/** Five accents on one letter and more: they cover the lines above and below. */
const PILED_MARKS =
  /([\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4})[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+/gu;

/**
 * A text of one line as others may read it: what the SQL function `private.clean_line` makes of it, where the rule and its
 * reasons stand. Empty where nothing is to be seen.
 */
export function cleanLine(text: string): string {
  const line = text
    .replace(/[\t-\r\u0085\u1680\u2000-\u200a\u2028\u2029\u205f\u3000]/g, " ")
    .replace(UNSEEN, "")
    .replace(/(?<![\u{1f3f4}\u{e0020}-\u{e007f}])[\u{e0020}-\u{e007f}]+/gu, "")
    .replace(FROM_THE_RIGHT.test(text) ? /(?!)/g : /[\u061c\u200e\u200f]/g, "")
    .replace(/(?<=[ \u00a0\u202fA-Za-z\u00c0-\u058f])(?:\u200c|\u200d|[\ufe00-\ufe0f])+/g, "")
    .replace(JOINERS, "")
    .normalize("NFC")
    .replace(PILED_MARKS, "$1")
    .replace(/[ \u00a0\u202f]{2,}/g, " ")
    // Runs are one sign now, so that this end costs no second look.
    .replace(/^[ \u00a0\u202f]|[ \u00a0\u202f]$/g, "");
  return VISIBLE.test(line) ? line : "";
}

/** A text of many lines as others may read it: what the SQL function `private.clean_text` makes of it. */
export function cleanText(text: string): string {
  const clean = text
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u206f\ufeff\ufff0-\ufffb]/gu, "")
    .replace(PILED_MARKS, "$1");
  const inner = trimEnds(clean, (sign) => /[\s\u200b\u2060]/.test(sign));
  return cleanLine(inner) && inner;
}

/** A text whose signs reverse nothing behind it: texts from before they were cleaned have some. */
export function withoutReversing(text: string): string {
  return text.replace(REVERSING, "");
}
