/** The first day of a month as the French write it: « 1 décembre », as formatters give it, becomes « 1er décembre ». */
export function firstOfMonth(date: string): string {
  return date.replace(/\b1(?=\s\p{L})/u, "1er");
}
