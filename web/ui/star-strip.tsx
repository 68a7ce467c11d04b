const STAR = "M0-10 2.9-3.6 9.9-2.8 4.7 2 6.1 8.9 0 5.4-6.1 8.9-4.7 2-9.9-2.8-2.9-3.6Z";
const PLACES = [0, 1, 2, 3, 4] as const;

/** Five stars, filled up to the whole stars of a mean. Decoration: the mean is beside it in words. */
export function StarStrip({ average }: { average: number }) {
  const filled = Math.floor(average);
  return (
    <svg
      viewBox="-11 -11 122 22"
      aria-hidden="true"
      data-stars={filled}
      className="mb-1 h-5 w-auto"
    >
      {PLACES.map((place) => (
        <path
          key={place}
          d={STAR}
          transform={`translate(${place * 25})`}
          className={place < filled ? "fill-sun" : "fill-line dark:fill-field/60"}
        />
      ))}
    </svg>
  );
}
