import { useEffect, useRef } from "react";
import { WHEEL_SIZE } from "#domain/constants.ts";
import type { PublicSegment } from "#domain/journey.ts";
import { PEG_RADIUS, pegCount, pointAt } from "./wheel-geometry.ts";
import type { createWheelRunner, WheelRunner } from "./wheel-runner.ts";
import { WheelSlices } from "./wheel-slices.tsx";

type WheelProps = {
  segments: PublicSegment[];
  /** What moves it; loaded apart. */
  createRunner: typeof createWheelRunner | null;
  isTurning: boolean;
  /** The slice that the server drew, once known. */
  stopAt: number | null;
  onStopped: () => void;
};

const HALF = WHEEL_SIZE / 2;
const VIEW_BOX = `${-HALF} ${-HALF} ${WHEEL_SIZE} ${WHEEL_SIZE}`;

/**
 * The wheel: slices and pegs turn, hub and pointer do not. A picture to screen readers;
 * what it says is said in words by the page around it.
 */
export function Wheel({ segments, createRunner, isTurning, stopAt, onStopped }: WheelProps) {
  const wheel = useRef<HTMLDivElement>(null);
  const pointer = useRef<SVGGElement>(null);
  const runner = useRef<WheelRunner | null>(null);
  const whenStopped = useRef(onStopped);
  whenStopped.current = onStopped;
  const count = segments.length;
  const pegs = pegCount(count);

  useEffect(() => {
    if (createRunner === null || wheel.current === null || pointer.current === null) return;
    const parts = { wheel: wheel.current, pointer: pointer.current, slices: count };
    const made = createRunner(parts);
    runner.current = made;
    return () => made.dispose();
  }, [count, createRunner]);

  useEffect(() => {
    if (!isTurning) return;
    runner.current?.start();
    return () => runner.current?.coast();
  }, [isTurning]);

  useEffect(() => {
    if (isTurning && stopAt !== null) runner.current?.stopAt(stopAt, () => whenStopped.current());
  }, [isTurning, stopAt]);

  return (
    <div className="relative mx-auto aspect-square w-full max-w-100" aria-hidden="true">
      <div ref={wheel} className="size-full will-change-transform">
        <svg viewBox={VIEW_BOX} className="size-full" role="presentation">
          <circle r={HALF - 1} className="fill-ink" />
          <g className="font-bold">
            <WheelSlices segments={segments} />
          </g>
          {Array.from({ length: pegs }, (_, index) => {
            const { x, y } = pointAt((index * 360) / pegs + 180 / count, PEG_RADIUS);
            // biome-ignore lint/suspicious/noArrayIndexKey: pegs have no identity but their place.
            return <circle key={index} cx={x} cy={y} r="3" className="fill-sun-soft" />;
          })}
        </svg>
      </div>
      <svg
        viewBox={VIEW_BOX}
        className="absolute inset-0 size-full overflow-visible"
        role="presentation"
      >
        <circle r="27" className="fill-ink" />
        <circle r="20" className="fill-surface" />
        <circle r="7" className="fill-violet" />
        <g transform={`translate(0 ${-HALF - 6})`}>
          <g ref={pointer}>
            <path
              d="M-15-9h30a4 4 0 0 1 3.4 6L3.4 27a4 4 0 0 1-6.8 0L-18.4-3a4 4 0 0 1 3.4-6Z"
              className="fill-violet stroke-surface"
              strokeWidth="3"
            />
          </g>
        </g>
      </svg>
    </div>
  );
}
