/** Heights that an axis may end on, times a power of ten: each has a half that is easy to read. */
const TOPS = [1, 2, 4, 6, 10] as const;

/** Where an axis of counts ends: the next round number from the highest of them, 1 at least. */
export function roundTop(highest: number): number {
  if (highest <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const top = TOPS.find((step) => step * power >= highest) ?? 10;
  return top * power;
}

/** The marks of an axis, from its end down to 0: the half only where it is a whole number. */
export function marksOf(top: number): number[] {
  return top % 2 === 0 ? [top, top / 2, 0] : [top, 0];
}
