import type { ReactNode } from "react";
import { MARK_SEGMENT } from "../../../ui/mark-paths.ts";
import type { landingCopy } from "./landing.copy.ts";

export type FeatureName = (typeof landingCopy.features.list)[number]["picture"];

/** A ticket of 60 by 36: rounded, with a notch on either side. */
const TICKET =
  "M-24-18h48a6 6 0 0 1 6 6v8a4 4 0 0 0 0 8v8a6 6 0 0 1-6 6h-48a6 6 0 0 1-6-6v-8a4 4 0 0 0 0-8v-8a6 6 0 0 1 6-6Z";
const STAR = "M0-10 2.9-3.6 9.9-2.8 4.7 2 6.1 8.9 0 5.4-6.1 8.9-4.7 2-9.9-2.8-2.9-3.6Z";
/** A stripe of an awning. */
const STRIPE = "M0-24h13v14a6.5 6.5 0 0 1-13 0Z";

const ANGLES = [0, 60, 120, 180, 240, 300] as const;
const HUES = [
  "fill-violet",
  "fill-sun",
  "fill-mint",
  "fill-sky",
  "fill-rose",
  "fill-coral",
] as const;

/** Six equal chances around one star: whatever it is, the wheel does not look at it. */
function Fair() {
  return (
    <>
      {ANGLES.map((angle) => (
        <path key={angle} d={MARK_SEGMENT} transform={`rotate(${angle})`} className="fill-violet" />
      ))}
      <path d={STAR} transform="scale(.72)" className="fill-sun" />
    </>
  );
}

/** Segments that grow. */
function Figures() {
  return (
    <g transform="translate(-6 20)">
      <path d={MARK_SEGMENT} transform="rotate(-62) scale(.82)" className="fill-mint" />
      <path d={MARK_SEGMENT} transform="scale(1.14)" className="fill-violet" />
      <path d={MARK_SEGMENT} transform="rotate(62) scale(1.46)" className="fill-sun" />
    </g>
  );
}

/** A wheel whose next segment is being put in. */
function Own() {
  return ANGLES.map((angle, index) => (
    <path
      key={angle}
      d={MARK_SEGMENT}
      transform={angle === 60 ? "translate(7 -4) rotate(60)" : `rotate(${angle})`}
      className={HUES[index]}
    />
  ));
}

/** Two shops side by side, one a little behind. */
function Stores() {
  return (
    <g transform="translate(4)">
      <path d="M6-14h24v38H6Z" className="fill-line" />
      <path d="M6-16h8v8a4 4 0 0 1-8 0ZM22-16h8v8a4 4 0 0 1-8 0Z" className="fill-mint" />
      <path d="M14-16h8v8a4 4 0 0 1-8 0Z" className="fill-muted" />
      <path d="M-29-14h40v38h-40Z" className="fill-violet-soft" />
      {[0, 1, 2, 3].map((place) => (
        <path
          key={place}
          d={STRIPE}
          transform={`translate(${-35 + place * 13})`}
          className={place % 2 === 0 ? "fill-violet" : "fill-sun"}
        />
      ))}
      <path d="M-5 4h11v20H-5Z" className="fill-violet" />
      <path d="M-24 4h13v10h-13Z" className="fill-surface" />
    </g>
  );
}

/** A word between two, on a ticket that speaks. */
function Word() {
  return (
    <g transform="translate(0 -4)">
      <path d={TICKET} className="fill-violet" />
      <path d="M-20 14h17L-18 29Z" className="fill-violet" />
      <path
        d="M-18-7h25M-18 0h34M-18 7h16"
        fill="none"
        strokeWidth="3"
        strokeLinecap="round"
        className="stroke-surface"
      />
      <path d={STAR} transform="translate(24 -18) scale(.8)" className="fill-sun" />
    </g>
  );
}

/** A ticket with a lock on it. */
function Locked() {
  return (
    <>
      <path d={TICKET} transform="translate(5 -7) rotate(-8)" className="fill-sun" />
      <path d={TICKET} transform="translate(0 4)" className="fill-violet" />
      <circle cy="0" r="5" className="fill-surface" />
      <path d="M-2.6 2h5.2l2.6 11h-10.4Z" className="fill-surface" />
    </>
  );
}

const PICTURES: Readonly<Record<FeatureName, () => ReactNode>> = {
  fair: Fair,
  figures: Figures,
  own: Own,
  stores: Stores,
  word: Word,
  locked: Locked,
};

/** A small picture made of the brand's two motifs, the segment and the ticket. Decoration. */
export function FeaturePicture({ name }: { name: FeatureName }) {
  const Picture = PICTURES[name];
  return (
    <svg viewBox="-31 -30 62 60" aria-hidden="true" className="h-16 w-auto overflow-visible">
      <Picture />
    </svg>
  );
}
