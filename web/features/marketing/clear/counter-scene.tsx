import { PRIZE_DRAWINGS } from "#domain/rules/prize-pictures.ts";
import { PrizePaths } from "../../../ui/prize-picture.tsx";

/** A slice of a small wheel, pointing up, a sixth of it. */
const SLICE = "M0 0L-11-19A22 22 0 0 1 11-19Z";
const HUES = [
  "fill-violet",
  "fill-sun",
  "fill-mint",
  "fill-violet",
  "fill-sun",
  "fill-mint",
] as const;

/** Corners of a code and a few of its modules: a picture of one, which no camera reads. */
const CODE =
  "M0 0h14v14H0ZM3 3v8h8V3ZM5.5 5.5h3v3h-3ZM26 0h14v14H26ZM29 3v8h8V3ZM31.5 5.5h3v3h-3ZM0 26h14v14H0ZM3 29v8h8v-8ZM5.5 31.5h3v3h-3ZM18 2h4v4h-4ZM18 9h4v8h-4ZM2 18h8v4H2ZM14 18h4v4h-4ZM22 20h6v4h-6ZM32 18h8v4h-8ZM18 26h4v4h-4ZM26 28h4v4h-4ZM34 26h6v4h-6ZM20 34h8v4h-8ZM32 34h8v6h-8Z";

const SKIN = "#E2A986";
const SKIN_DARK = "#8C5A3F";

function Wheel({ at }: { at: string }) {
  return (
    <g transform={at}>
      <circle r="24" className="fill-ink" />
      {HUES.map((hue, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: slices have no identity but their place.
        <path key={index} d={SLICE} className={hue} transform={`rotate(${index * 60})`} />
      ))}
      <circle r="6" className="fill-surface" />
    </g>
  );
}

function Lamp({ x }: { x: number }) {
  return (
    <g transform={`translate(${x} 0)`}>
      <path d="M-1.5 0h3v62h-3Z" className="fill-muted" />
      <path d="M-34 92a34 34 0 0 1 68 0Z" className="fill-violet" />
      <path d="M-9 92h18a9 9 0 0 1-18 0Z" className="fill-sun" />
    </g>
  );
}

/** Cups and bottles on a shelf. */
function Shelf() {
  return (
    <g transform="translate(62 128)">
      <path d="M0 60h196v7H0Z" className="fill-muted" />
      <path d="M14 34h24v20a6 6 0 0 1-6 6H20a6 6 0 0 1-6-6Z" className="fill-surface" />
      <path d="M46 34h24v20a6 6 0 0 1-6 6H52a6 6 0 0 1-6-6Z" className="fill-surface" />
      <path d="M46 8h24v20a6 6 0 0 1-6 6H52a6 6 0 0 1-6-6Z" className="fill-sun" />
      <path d="M96 14h8v12l6 8v26H90V34l6-8Z" className="fill-mint" />
      <path d="M124 6h8v16l6 8v30h-20V30l6-8Z" className="fill-violet" />
      <path d="M154 28h28v32h-28Z" className="fill-surface" />
      <path d="M158 20h20v8h-20ZM160 40h16v8h-16Z" className="fill-sun" />
    </g>
  );
}

/** The one who keeps the shop, behind the counter. */
function Keeper() {
  return (
    <g transform="translate(330 150)">
      <path d="M-66 196c-6-62 14-104 66-104s72 42 66 104Z" className="fill-violet" />
      <path d="M-16 70h32v30a16 16 0 0 1-32 0Z" fill={SKIN_DARK} />
      <path d="M-38 128h9l4-30h10c2 14 28 14 30 0h10l4 30h9l6 68H-44Z" className="fill-sun" />
      <path d="M-32 36a32 34 0 0 1 64 0v10a32 34 0 0 1-64 0Z" fill={SKIN_DARK} />
      <path
        d="M-36 44C-42 4-22-10 0-10s42 14 36 54c-6-8-8-18-10-24-14 8-40 8-52 0-2 6-4 16-10 24Z"
        className="fill-ink dark:fill-paper"
      />
      <circle cx="0" cy="-16" r="15" className="fill-ink dark:fill-paper" />
      <path
        d="M-12 58c6 8 18 8 24 0M-14 42v.01M14 42v.01"
        fill="none"
        strokeWidth="4"
        strokeLinecap="round"
        className="stroke-surface"
      />
    </g>
  );
}

/** The table tent with the wheel and the code. */
function Tent() {
  return (
    <g transform="translate(448 196)">
      <path d="M-6 140 8 0h104l14 140Z" className="fill-surface stroke-line" strokeWidth="2" />
      <path d="M8 0h104l2 20H6Z" className="fill-violet" />
      <path d="M26 7h68v6H26Z" className="fill-on-violet" />
      <Wheel at="translate(60 52)" />
      <path d={CODE} className="fill-ink" transform="translate(40 86)" />
    </g>
  );
}

/** The customer's hand and phone, nearest to us. */
function Phone() {
  return (
    <g transform="translate(640 214)rotate(-9)">
      <path d="M31 274 40 118c2-26 50-26 62-2l100 173Z" className="fill-mint" />
      <path
        d="M20 108c-6-30 20-44 44-40l36 30c10 20 2 52-18 58l-44 10c-12-8-16-30-18-58Z"
        fill={SKIN}
      />
      <rect x="-38" y="-62" width="100" height="192" rx="15" className="fill-ink" />
      <rect x="-31" y="-53" width="86" height="174" rx="9" className="fill-surface" />
      <path d="M-18-38h60v9h-60Z" className="fill-line" />
      <Wheel at="translate(12 18)scale(1.35)" />
      <path d="m12-18 6-13H6Z" className="fill-ink" />
      <rect x="-19" y="66" width="62" height="20" rx="7" className="fill-violet" />
      <path d="M-19 98h62v7h-62Z" className="fill-line" />
      <path
        d="M56 58c10-4 22 2 22 13s-10 13-22 11ZM56 86c10-4 20 1 20 11s-9 12-20 10ZM54 30c12-4 24 3 24 13s-11 13-24 11Z"
        fill={SKIN}
      />
    </g>
  );
}

/** A counter, its cashier, and the hand of a customer with a phone. Drawn in the brand's colours, by day and by night. */
export function CounterScene({ label }: { label: string }) {
  return (
    <svg viewBox="0 0 800 460" role="img" aria-label={label} className="block w-full rounded-card">
      <path d="M0 0h800v460H0Z" className="fill-violet-soft" />
      <Lamp x={170} />
      <Lamp x={560} />
      <Shelf />
      <Keeper />
      <path d="M0 330h800v130H0Z" className="fill-ink dark:fill-surface" />
      <path d="M0 318h800v22H0Z" className="fill-sun" />
      <path
        d="M40 364h4v72h-4ZM200 364h4v72h-4ZM360 364h4v72h-4ZM520 364h4v72h-4Z"
        className="fill-muted"
      />
      <g transform="translate(118 318)">
        <path d="M-70 0v-26a70 62 0 0 1 140 0V0Z" className="fill-surface" opacity=".75" />
        <path d="M-80-6H80V2H-80Z" className="fill-muted" />
        <circle cy="-92" r="7" className="fill-muted" />
        <g className="fill-sun-ink">
          <g transform="translate(-32 -25)scale(2.3)">
            <PrizePaths drawing={PRIZE_DRAWINGS.pastry} />
          </g>
          <g transform="translate(32 -25)scale(2.3)">
            <PrizePaths drawing={PRIZE_DRAWINGS.pastry} />
          </g>
        </g>
      </g>
      <g transform="translate(242 291)scale(2.2)" className="fill-surface">
        <PrizePaths drawing={PRIZE_DRAWINGS.coffee} />
      </g>
      <Tent />
      <Phone />
    </svg>
  );
}
