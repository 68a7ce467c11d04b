/** Something that one can see: not spaces and fillers alone, nor signs that only join, mark or steer others. */
export const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u;

/** A text without blanks at its ends; empty where nothing is to be seen. The database cleans the rest (`private.clean_line`). */
export function seenText(text: string): string {
  return VISIBLE.test(text) ? text.trim() : "";
}
