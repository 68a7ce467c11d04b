import type { RefObject } from "react";
import { WHEEL_SIZE } from "#domain/constants.ts";

type WheelFixtureProps = {
  /** One letter for the hub: the store's. */
  mark: string;
  pointer?: RefObject<SVGGElement | null>;
};

/** What does not turn: the hub with the store's letter, and the pointer that the pegs push. */
export function WheelFixture({ mark, pointer }: WheelFixtureProps) {
  return (
    <>
      <circle r="29" className="fill-ink" />
      <circle r="22" className="fill-surface" />
      <text y="8.5" textAnchor="middle" fontSize="24" fontWeight="800" className="fill-ink">
        {mark}
      </text>
      <g transform={`translate(0 ${-WHEEL_SIZE / 2 - 5})`}>
        <g ref={pointer}>
          <path
            d="M-13-9h26a4 4 0 0 1 3.3 6.2L3.3 19a4 4 0 0 1-6.6 0L-16.3-2.8a4 4 0 0 1 3.3-6.2Z"
            className="fill-violet stroke-surface"
            strokeWidth="3"
          />
        </g>
      </g>
    </>
  );
}
