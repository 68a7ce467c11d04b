/** Number of letters to change, add, leave out or swap with their neighbour to make one text of another (optimal string alignment). */
export function editDistance(one: string, other: string): number {
  const [from, to] = [[...one], [...other]];
  let former: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of from.entries()) {
    const next = [index + 1];
    for (const [place, wanted] of to.entries()) {
      const changed = (row[place] ?? 0) + (letter === wanted ? 0 : 1);
      const isSwapped = letter === to[place - 1] && wanted === from[index - 1];
      const swapped = isSwapped ? (former[place - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(changed, swapped, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    [former, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
