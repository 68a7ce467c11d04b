import { STAR } from "../star.ts";

/** A public review as a small ticket: a wheel for a face, five stars, two lines. */
export function PublicReviewPicture() {
  return (
    <svg viewBox="0 0 280 132" className="mx-auto my-3 w-full max-w-80" aria-hidden="true">
      <rect x="14" y="16" width="252" height="104" rx="14" className="fill-violet-soft" />
      <rect
        x="6"
        y="8"
        width="252"
        height="104"
        rx="14"
        className="fill-surface stroke-line"
        strokeWidth="2"
      />
      <circle cx="44" cy="46" r="20" className="fill-violet" />
      <path d="M44 46V26a20 20 0 0 1 17.3 30Z" className="fill-sun" />
      <path d="M44 46 61.3 56a20 20 0 0 1-34.6 0Z" className="fill-mint" />
      <circle cx="44" cy="46" r="6" className="fill-surface" />
      {[0, 1, 2, 3, 4].map((star) => (
        <path
          key={star}
          d={STAR}
          transform={`translate(${76 + star * 30} 32) scale(1.15)`}
          className="fill-sun stroke-sun-ink"
          strokeWidth="1.1"
          strokeLinejoin="round"
        />
      ))}
      <rect x="24" y="78" width="206" height="8" rx="4" className="fill-line" />
      <rect x="24" y="94" width="140" height="8" rx="4" className="fill-line" />
    </svg>
  );
}
