/** A letter of a script that is read from the right. */
export const FROM_THE_RIGHT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A text within a sentence: one that is read from the right takes neither the signs around it nor the next name along (UAX 9,
 * first strong isolate). Line by line, since an isolate ends with its line.
 */
export function isolated(text: string): string {
  return text.replace(/[^\n]+/g, (line) =>
    FROM_THE_RIGHT.test(line) ? `\u2068${line}\u2069` : line,
  );
}
