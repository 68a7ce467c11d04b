/** The shape of a card that is on its way. */
export function CardSkeleton() {
  return (
    <div
      aria-hidden="true"
      className="h-56 animate-pulse rounded-card bg-surface shadow-card motion-reduce:animate-none"
    />
  );
}
