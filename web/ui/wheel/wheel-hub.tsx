/** The hub of a wheel with one letter: the store's. It does not turn. */
export function WheelHub({ mark }: { mark: string }) {
  return (
    <>
      <circle r="29" className="fill-ink" />
      <circle r="22" className="fill-surface" />
      <text y="8.5" textAnchor="middle" fontSize="24" fontWeight="700" className="fill-ink">
        {mark}
      </text>
    </>
  );
}
