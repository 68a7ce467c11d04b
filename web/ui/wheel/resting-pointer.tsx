import { POINTER_OUTLINE, RIM } from "./wheel-geometry.ts";

/** The pointer within the drawing of a wheel at rest. */
export function RestingPointer() {
  return (
    <path
      transform={`translate(0 ${-RIM - 5})`}
      d={POINTER_OUTLINE}
      className="fill-ink stroke-surface"
      strokeWidth="3"
    />
  );
}
