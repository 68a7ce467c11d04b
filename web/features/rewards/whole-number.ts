/** Stock that never ends. */
export const UNLIMITED = -1;

/** Most of anything that is counted in a form of rewards. */
export const MAX_COUNT = 1_000_000;

/** Whether a text, as it was typed, is a whole number within bounds. */
export function isWhole(text: string, min: number, max: number): boolean {
  const number = Number(text.trim());
  return /^-?\d+$/.test(text.trim()) && number >= min && number <= max;
}
