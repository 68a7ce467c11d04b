/** Where a row lies, in pixels from the top of the page. */
export type RowBox = { top: number; height: number };

/** How far a dragged row may go: not beyond the first and the last place. */
export function withinList(rows: readonly RowBox[], from: number, offset: number): number {
  const [first, dragged, last] = [rows[0], rows[from], rows.at(-1)];
  if (!first || !dragged || !last) return 0;
  const lowest = last.top + last.height - dragged.top - dragged.height;
  return Math.min(lowest, Math.max(first.top - dragged.top, offset));
}

/** The place that a row takes when it is let go: past each row whose middle its own edge has passed. */
export function dropPlace(rows: readonly RowBox[], from: number, offset: number): number {
  const dragged = rows[from];
  if (!dragged) return from;
  const top = dragged.top + offset;
  const bottom = top + dragged.height;
  const middle = ({ top: start, height }: RowBox) => start + height / 2;
  const above = rows.slice(0, from).filter((row) => middle(row) < top).length;
  const passed = rows.slice(from + 1).filter((row) => middle(row) <= bottom).length;
  return above + passed;
}
