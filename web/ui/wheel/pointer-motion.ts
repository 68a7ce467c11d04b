import { pegCount } from "./wheel-geometry.ts";
import { endOf, rotationAt, type SlowDown, type Spin, timeOf } from "./wheel-motion.ts";

/** How far a peg pushes the pointer aside, in degrees. */
const POINTER_PUSH = 24;

/** How fast the pointer springs back, as a time constant in milliseconds. */
const SPRING_MS = 55;

/** Time after which nothing of the last push is left. */
const CALM_MS = 160;

/** So the pointer flutters while pegs pass faster than the eye follows: degrees, and milliseconds from one to the other. */
export const FLUTTER = { least: 6, most: 20, duration: 110 } as const;

/** A moment of the pointer: how far it is pushed aside, in degrees. */
export type LeanStep = { time: number; push: number };

/** Rotation at which the next peg touches the pointer. */
function nextTouch(rotation: number, segmentCount: number): number {
  const gap = 360 / pegCount(segmentCount);
  const offset = 180 / segmentCount;
  return (Math.floor((rotation + offset) / gap) + 1) * gap - offset;
}

/** When the next peg touches the pointer, in milliseconds after the tap; infinite when none does. */
export function nextPegAt(
  spin: Spin,
  slowDown: SlowDown | null,
  segmentCount: number,
  time: number,
): number {
  // A hair further, so that a peg that touches right now is not the next one again.
  const rotation = rotationAt(spin, slowDown, time) + 1e-6;
  return timeOf(spin, slowDown, nextTouch(rotation, segmentCount));
}

/** The flutter from `since` until `until`, where the pointer is bent. */
function flutterSteps(since: number, until: number): LeanStep[] {
  const steps: LeanStep[] = [];
  let push: number = FLUTTER.most;
  for (let time = until; time > since; time -= FLUTTER.duration) {
    steps.unshift({ time, push });
    push = push === FLUTTER.most ? FLUTTER.least : FLUTTER.most;
  }
  return [{ time: since, push }, ...steps];
}

/**
 * How the pegs push the pointer from `since` on, which is before the wheel slows down: it flutters, then bends
 * while each peg passes and springs back.
 */
export function leanSteps(
  spin: Spin,
  slowDown: SlowDown,
  segmentCount: number,
  since: number,
): LeanStep[] {
  const gap = 360 / pegCount(segmentCount);
  const contact = Math.min(6, gap * 0.35);
  const end = endOf(slowDown);
  const steps = flutterSteps(Math.min(since, slowDown.at), slowDown.at);
  let last: LeanStep = { time: slowDown.at, push: FLUTTER.most };
  const springBack = (time: number) => last.push * Math.exp((last.time - time) / SPRING_MS);
  const stop = slowDown.from + slowDown.distance;
  for (let peg = nextTouch(slowDown.from, segmentCount); peg <= stop; peg += gap) {
    const touch = timeOf(spin, slowDown, peg);
    const rest = springBack(touch);
    steps.push({ time: touch, push: rest });
    if (peg + contact > stop) {
      // The wheel stops with this peg against the pointer.
      steps.push({ time: end, push: Math.max(rest, (POINTER_PUSH * (stop - peg)) / contact) });
      return steps;
    }
    last = { time: timeOf(spin, slowDown, peg + contact), push: POINTER_PUSH };
    steps.push(last);
  }
  steps.push({ time: end, push: springBack(end) }, { time: end + CALM_MS, push: 0 });
  return steps;
}
