/** Writes a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** One line of a table. */
export function row(...cells: string[]): string[] {
  return cells.map((cell) => (cell === "NaN" ? "–" : cell));
}

/** Writes a table: the first column to the left, the others to the right. */
export function table(head: string[], rows: string[][]): void {
  const lines = [head, ...rows];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? "").length)),
  );
  for (const line of lines) {
    say(
      line
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  "),
    );
  }
}

/** The middle of some numbers. */
export function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
