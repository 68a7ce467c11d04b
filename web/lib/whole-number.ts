/** Whether a text, as it was typed, is a whole number within bounds. */
export function isWhole(text: string, min: number, max: number): boolean {
  const number = Number(text.trim());
  return /^-?\d+$/.test(text.trim()) && number >= min && number <= max;
}
