import { useEffect, useRef } from "react";
import { MovingPointer } from "./moving-pointer.tsx";
import { WheelFace, type WheelSegment } from "./wheel-face.tsx";
import { WHEEL_VIEW } from "./wheel-geometry.ts";
import { WheelHub } from "./wheel-hub.tsx";
import type { createWheelRunner, WheelRunner } from "./wheel-runner.ts";

type WheelProps = {
  segments: readonly WheelSegment[];
  /** One letter for the hub. */
  mark: string;
  /** Motion of the wheel; loaded apart. */
  createRunner: typeof createWheelRunner | null;
  isTurning: boolean;
  /** The segment that the server drew, once known. */
  stopAt: number | null;
  onStopped: () => void;
  /** A peg passes the pointer. */
  onPeg?: () => void;
  /** Called when the user flicks the wheel, where `createRunner` listens for that. */
  onFlick?: (() => void) | undefined;
  /** Its size and its place. */
  className?: string;
};

/**
 * The wheel that is spun. A picture to screen readers; what it says is said in words by the
 * page around it.
 */
export function Wheel(props: WheelProps) {
  const {
    segments,
    mark,
    createRunner,
    isTurning,
    stopAt,
    onStopped,
    onPeg,
    onFlick,
    className = "",
  } = props;
  const wheel = useRef<HTMLDivElement>(null);
  const pointer = useRef<SVGSVGElement>(null);
  const runner = useRef<WheelRunner | null>(null);
  const whenStopped = useRef(onStopped);
  whenStopped.current = onStopped;
  const whenPegPasses = useRef(onPeg);
  whenPegPasses.current = onPeg;
  const whenFlicked = useRef(onFlick);
  whenFlicked.current = onFlick;
  const segmentCount = segments.length;

  useEffect(() => {
    if (createRunner === null || wheel.current === null || pointer.current === null) return;
    const made = createRunner({
      wheel: wheel.current,
      pointer: pointer.current,
      segmentCount,
      onPeg: () => whenPegPasses.current?.(),
      onFlick: () => whenFlicked.current?.(),
    });
    runner.current = made;
    return () => made.dispose();
  }, [createRunner, segmentCount]);

  useEffect(() => {
    if (!isTurning) return;
    runner.current?.start();
    return () => runner.current?.coast();
  }, [isTurning]);

  useEffect(() => {
    if (isTurning && stopAt !== null) runner.current?.stopAt(stopAt, () => whenStopped.current());
  }, [isTurning, stopAt]);

  return (
    <div className={`relative aspect-square ${className}`} aria-hidden="true">
      <div ref={wheel} data-wheel className="size-full will-change-transform">
        <svg viewBox={WHEEL_VIEW} className="size-full" role="presentation">
          <WheelFace segments={segments} />
        </svg>
      </div>
      <svg viewBox={WHEEL_VIEW} className="absolute inset-0 size-full" role="presentation">
        <WheelHub mark={mark} />
      </svg>
      <MovingPointer ref={pointer} />
    </div>
  );
}
