import { RestingPointer } from "./resting-pointer.tsx";
import { WheelFace, type WheelSegment } from "./wheel-face.tsx";
import { rotationTo, WHEEL_VIEW } from "./wheel-geometry.ts";
import { WheelHub } from "./wheel-hub.tsx";

type WheelPictureProps = {
  segments: readonly WheelSegment[];
  mark: string;
  /** The segment to show under the pointer, the others stepping back. */
  chosen?: number;
  className?: string;
};

/** The wheel at rest, before one goes to it or after it has stopped. */
export function WheelPicture({ segments, mark, chosen, className }: WheelPictureProps) {
  const rotation = chosen === undefined ? 0 : rotationTo(chosen, segments.length, 0.5);
  return (
    <svg viewBox={WHEEL_VIEW} className={`overflow-visible ${className}`} aria-hidden="true">
      <g transform={`rotate(${rotation})`}>
        <WheelFace segments={segments} {...(chosen !== undefined && { chosen })} />
      </g>
      <WheelHub mark={mark} />
      <RestingPointer />
    </svg>
  );
}
