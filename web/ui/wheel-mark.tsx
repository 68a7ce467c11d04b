/** One slice of the mark, pointing up from the centre, with half a gap on each side. */
const SLICE = "M-2.9-7.5-12.5-24A27 27 0 0 1 12.5-24L2.9-7.5A8 8 0 0 0-2.9-7.5Z";

/** The six hues of the brand, clockwise from the slice under the pointer. */
const HUES = [
  "fill-violet",
  "fill-sun",
  "fill-mint",
  "fill-sky",
  "fill-rose",
  "fill-coral",
] as const;

/** In one colour, every other slice is lighter, so that the wheel still reads as a wheel. */
const TINTS = [0.5, 1, 0.5, 1, 0.5, 1] as const;

type WheelMarkProps = {
  /** `color` uses the brand's hues, `mono` the text's colour. */
  tone?: "color" | "mono";
  /** Said aloud; without it the mark is decoration. */
  label?: string;
  className?: string;
  /** Place inside another drawing, in its units. */
  x?: number;
  y?: number;
  width?: number;
  height?: number;
};

/** The wheel of six segments with its pointer: the brand's mark, and the application's icon. */
export function WheelMark({ tone = "color", label = "", ...svg }: WheelMarkProps) {
  return (
    <svg viewBox="0 0 60 70" role="img" aria-label={label} aria-hidden={!label} {...svg}>
      <g transform="translate(30 41)">
        {HUES.map((hue, index) => (
          <path
            key={hue}
            d={SLICE}
            transform={`rotate(${index * 60})`}
            {...(tone === "color"
              ? { className: hue }
              : { fill: "currentColor", fillOpacity: TINTS[index] })}
          />
        ))}
      </g>
      <path
        d="M22.9 0h14.2a1.9 1.9 0 0 1 1.5 3L31.5 12a1.9 1.9 0 0 1-3 0L21.4 3a1.9 1.9 0 0 1 1.5-3Z"
        fill="currentColor"
      />
    </svg>
  );
}
