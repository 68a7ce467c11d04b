import { MARK_HUES, MARK_POINTER, MARK_SEGMENT } from "./mark-paths.ts";

/** In one colour, every other segment is lighter, so that the wheel still reads as a wheel. */
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
        {MARK_HUES.map(({ screen }, index) => (
          <path
            key={screen}
            d={MARK_SEGMENT}
            transform={`rotate(${index * 60})`}
            {...(tone === "color"
              ? { className: screen }
              : { fill: "currentColor", fillOpacity: TINTS[index] })}
          />
        ))}
      </g>
      <path d={MARK_POINTER} fill="currentColor" />
    </svg>
  );
}
