import { pointAt, segmentPath } from "../../ui/wheel/wheel-geometry.ts";

const RADIUS = 430;
const SEGMENTS = 40;
const ANGLE = 360 / SEGMENTS;

/** Segments to the left and right of the middle that can come into view. */
const DRAWN = Array.from({ length: 15 }, (_, index) => index - 8);

/** The brand's hues, for pages that belong to no wheel. */
const BRAND = ["#7c3aed", "#f59e0b", "#10b981", "#06b6d4", "#ec4899", "#ef4444"];

/** One segment further with every step: the page says which one it shows. */
const TURN =
  "group-has-data-[progress=1]/page:rotate-9 group-has-data-[progress=2]/page:rotate-18 group-has-data-[progress=3]/page:rotate-27";

/** The lower edge of a large wheel, like the awning of a shop; it turns as one goes on. */
export function Awning({ colors = BRAND }: { colors?: string[] }) {
  const outline = segmentPath(SEGMENTS, RADIUS);
  return (
    <svg
      viewBox="0 0 400 64"
      preserveAspectRatio="xMidYMax slice"
      className="awning block h-10 w-full tall:h-16 sm:h-32 sm:tall:h-32 flat:h-8"
      aria-hidden="true"
    >
      <g transform={`translate(200 ${52 - RADIUS})`}>
        <circle r={RADIUS + 5} fill="none" className="stroke-ink" strokeWidth="11" />
        <g className={`transition-[rotate] duration-700 ease-out-soft ${TURN}`}>
          {DRAWN.map((place) => {
            const color = colors[(place + 8 * colors.length) % colors.length];
            const peg = pointAt(180 + (place + 0.5) * ANGLE, RADIUS + 5);
            return (
              <g key={place}>
                <path
                  d={outline}
                  transform={`rotate(${180 + place * ANGLE})`}
                  fill={color}
                  className="stroke-surface"
                  strokeWidth="2.5"
                />
                <circle cx={peg.x} cy={peg.y} r="3" className="fill-sun-soft" />
              </g>
            );
          })}
        </g>
      </g>
    </svg>
  );
}
