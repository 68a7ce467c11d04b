/**
 * A text without the signs at both its ends that are to be cut, in one pass from each: a regular expression such as `/ +$/` takes
 * the square of the length of a run within, and strangers write such runs.
 */
export function trimEnds(text: string, isCut: (sign: string) => boolean): string {
  const signs = [...text];
  const isKept = (sign: string) => !isCut(sign);
  const first = signs.findIndex(isKept);
  return first < 0 ? "" : signs.slice(first, signs.findLastIndex(isKept) + 1).join("");
}
