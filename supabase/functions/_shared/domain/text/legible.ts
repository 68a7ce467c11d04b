/**
 * Whether a name still says something in the letters that a font has: one of its letters is left, where it was written
 * with letters. « 24 » of « Кафе 24 » does not, « Sushi » of « 寿司 Sushi » does.
 */
export function isLegible(printed: string, name: string): boolean {
  return /\p{L}/u.test(printed) || (/\S/u.test(printed) && !/\p{L}/u.test(name));
}
