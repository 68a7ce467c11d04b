import type { Ref } from "react";
import { POINTER_OUTLINE } from "./wheel-geometry.ts";

/**
 * The pointer that the pegs push: a picture of its own above the wheel's, so that a browser moves it
 * without painting anything anew. It rotates about the origin of its drawing.
 */
export function MovingPointer({ ref }: { ref?: Ref<SVGSVGElement> }) {
  return (
    <svg
      ref={ref}
      data-pointer
      viewBox="-20 -13 40 35"
      className="absolute -top-[5.625%] left-[43.75%] w-[12.5%] origin-[50%_37.14%] overflow-visible will-change-transform"
      role="presentation"
    >
      <path d={POINTER_OUTLINE} className="fill-ink stroke-surface" strokeWidth="3" />
    </svg>
  );
}
