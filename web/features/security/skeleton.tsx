/** Lines where something will stand in a moment. */
export function Skeleton({ lines = 2 }: { lines?: number }) {
  return (
    <div aria-hidden="true" className="grid gap-3">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same.
        <div key={line} className="h-12 animate-pulse rounded-field bg-line/60" />
      ))}
    </div>
  );
}
