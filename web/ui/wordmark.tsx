import { WORDMARK_LETTERS } from "./mark-paths.ts";
import { WheelMark } from "./wheel-mark.tsx";

type WordmarkProps = {
  /** `color` draws the wheel in the brand's hues, `mono` everything in the text's colour. */
  tone?: "color" | "mono";
  className?: string;
};

/** The name « tournavis », whose o is the wheel. Takes the colour of the text around it. */
export function Wordmark({ tone = "color", className }: WordmarkProps) {
  return (
    <svg viewBox="0 -18 903 154" className={className} role="img" aria-label="tournavis">
      <path d={WORDMARK_LETTERS} fill="currentColor" />
      <WheelMark tone={tone} x={76} y={-4} width={118} height={138} />
    </svg>
  );
}
