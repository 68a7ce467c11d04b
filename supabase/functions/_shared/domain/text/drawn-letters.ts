/** A part of a text in one font, by that font's place in its face. */
export type FontRun = { text: string; font: number };

/**
 * A text in pieces of one font each. `fontOf` answers the place of the first font that has a letter, −1 for none: such a
 * letter is left to the first font.
 */
export function fontRuns(text: string, fontOf: (letter: string) => number): FontRun[] {
  const found: FontRun[] = [];
  for (const letter of text) {
    const font = Math.max(0, fontOf(letter));
    const last = found.at(-1);
    if (last?.font === font) last.text += letter;
    else found.push({ text: letter, font });
  }
  return found;
}

/** A text in letters that a printer's fonts have: others without their marks, or left out, and then named as `missing`. */
export function drawnLetters(
  text: string,
  isKnown: (letter: string) => boolean,
): { text: string; missing: string[] } {
  const missing = new Set<string>();
  const letters = Array.from(text.normalize("NFC")).map((letter) => {
    if (isKnown(letter)) return letter;
    const plain = letter.normalize("NFKD").replaceAll(/\p{M}/gu, "");
    if (plain !== "" && Array.from(plain).every(isKnown)) return plain;
    if (!/[\p{M}\p{C}]/u.test(letter)) missing.add(letter);
    return "";
  });
  return { text: letters.join(""), missing: [...missing] };
}
