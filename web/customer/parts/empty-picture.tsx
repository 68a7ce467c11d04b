import { segmentPath } from "../../ui/wheel/wheel-geometry.ts";

/** A wheel that lacks a segment: nothing to see here, but something belongs here. */
export function EmptyPicture() {
  const outline = segmentPath(6, 60);
  return (
    <svg viewBox="-72 -84 144 150" className="mx-auto my-4 h-44" aria-hidden="true">
      {[60, 120, 180, 240, 300].map((angle) => (
        <path
          key={angle}
          d={outline}
          transform={`rotate(${angle})`}
          className="fill-violet-soft stroke-violet"
          strokeWidth="2.5"
          strokeLinejoin="round"
        />
      ))}
      <path
        d={outline}
        transform="translate(6 -20) rotate(8)"
        className="fill-sun stroke-ink"
        strokeWidth="2.5"
        strokeLinejoin="round"
      />
      <circle r="13" className="fill-surface stroke-ink" strokeWidth="2.5" />
    </svg>
  );
}
