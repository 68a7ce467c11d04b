import { START_MS, startSpin } from "../../ui/wheel/wheel-motion.ts";
import {
  type Begun,
  createWheelRunner,
  type WheelParts,
  type WheelRunner,
} from "../../ui/wheel/wheel-runner.ts";
import { rotationOf, shortestTurn } from "./rotation.ts";

/** Slower than this, in degrees a millisecond, a hand only turns the wheel and lets go of it. */
const MIN_SPEED = 0.12;

/** A flick as fast as this turns the wheel as often as it ever does. */
const MAX_SPEED = 1.6;

/** Time before letting go in which the speed is measured, in milliseconds. */
const MEASURED_MS = 100;

/** A finger that moves less, in pixels, taps. */
const TAP_PX = 8;

/** Where a finger was on its way around the wheel, in degrees, and when. */
export type Trace = { angle: number; at: number };

/** Degrees a millisecond with which a hand lets go; negative against the clock's way. */
export function speedOf(traces: readonly Trace[]): number {
  const last = traces.at(-1);
  const first = traces.find(({ at }) => last !== undefined && last.at - at <= MEASURED_MS);
  if (first === undefined || last === undefined || last.at === first.at) return 0;
  return (last.angle - first.angle) / (last.at - first.at);
}

/**
 * The spin that a flick begins at a rotation; null for one that is too slow. The faster the flick, the more turns. It
 * shapes what is seen until the wheel stops, and never on what.
 */
export function spinFrom(rotation: number, speed: number): Begun | null {
  const strength = (Math.abs(speed) - MIN_SPEED) / (MAX_SPEED - MIN_SPEED);
  if (strength < 0) return null;
  const direction = speed < 0 ? -1 : 1;
  const spin = startSpin(0, Math.min(0.999, strength));
  // The moment of a tapped spin at which the wheel has the hand's speed: from there on it is the same.
  const at = START_MS * Math.min(1, Math.abs(speed) / spin.speed);
  const gathered = (spin.speed * at * at) / (2 * START_MS);
  return { spin: { ...spin, from: direction * rotation - gathered }, at, direction };
}

/** A runner of a wheel that a finger may turn and flick; with reduced motion, it is tapped. */
export function createFlickableRunner(parts: WheelParts): WheelRunner {
  const runner = createWheelRunner(parts);
  const { wheel, onFlick } = parts;
  const stand = wheel.parentElement;
  if (stand === null || matchMedia("(prefers-reduced-motion: reduce)").matches) return runner;

  let begun: Begun | null = null;
  /** A finger on the wheel: where it came down, and how the wheel rested then. */
  let held: { pointer: number; x: number; y: number; angle: number; rotation: number } | null =
    null;
  let traces: Trace[] = [];
  let hasMoved = false;
  const listening = new AbortController();
  const { signal } = listening;

  function angleOf({ clientX, clientY }: PointerEvent): number {
    const { left, top, width, height } = wheel.getBoundingClientRect();
    return (Math.atan2(clientY - top - height / 2, clientX - left - width / 2) * 180) / Math.PI;
  }

  function touch(event: PointerEvent) {
    // A wheel that turns already cannot be flicked.
    if (!event.isPrimary || wheel.getAnimations().length > 0) return;
    const { pointerId: pointer, clientX: x, clientY: y } = event;
    const angle = angleOf(event);
    held = { pointer, x, y, angle, rotation: rotationOf(wheel) };
    traces = [{ angle, at: performance.now() }];
    hasMoved = false;
  }

  function follow(event: PointerEvent) {
    const last = traces.at(-1);
    if (held?.pointer !== event.pointerId || last === undefined) return;
    hasMoved ||= Math.hypot(event.clientX - held.x, event.clientY - held.y) > TAP_PX;
    if (!hasMoved) return;
    const at = performance.now();
    const angle = last.angle + shortestTurn(angleOf(event) - last.angle);
    traces = [...traces.filter((trace) => at - trace.at <= MEASURED_MS), { angle, at }];
    wheel.style.transform = `rotate(${(held.rotation + angle - held.angle).toFixed(3)}deg)`;
  }

  function letGo(event: PointerEvent) {
    if (held?.pointer !== event.pointerId) return;
    // A finger that has rested before it is lifted flicks nothing.
    const now = performance.now();
    const speed = speedOf(traces.filter(({ at }) => now - at <= MEASURED_MS));
    held = null;
    if (!hasMoved || event.type === "pointercancel") return;
    begun = spinFrom(rotationOf(wheel), speed);
    if (begun !== null) onFlick?.();
  }

  // Upwards and downwards the page moves, as everywhere.
  stand.style.touchAction = "pan-y";
  stand.style.userSelect = "none";
  stand.addEventListener("pointerdown", touch, { signal });
  addEventListener("pointermove", follow, { signal });
  addEventListener("pointerup", letGo, { signal });
  addEventListener("pointercancel", letGo, { signal });
  // A mouse that has turned the wheel has not pressed it.
  stand.addEventListener("click", (event) => hasMoved && event.stopPropagation(), { signal });

  return {
    ...runner,
    start() {
      const tapped = () => startSpin(rotationOf(wheel), Math.random());
      runner.start(begun ?? { spin: tapped(), at: 0, direction: 1 });
      begun = null;
    },
    dispose() {
      listening.abort();
      runner.dispose();
    },
  };
}
