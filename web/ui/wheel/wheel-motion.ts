import { WHEEL_ANIMATION_MS, WHEEL_MAX_TURNS, WHEEL_MIN_TURNS } from "#domain/rules/constants.ts";

/** The wheel gathers speed for this long. */
export const START_MS = 400;

/** It never slows down before this, so that a quick answer and a slow one look alike. */
const CRUISE_END_MS = 800;

/** The slow-down: what is left of the five seconds when the answer came in time. */
const SLOW_DOWN_MS = WHEEL_ANIMATION_MS - CRUISE_END_MS;

/** A wheel whose answer never came runs out in this time. */
const COAST_MS = 900;

/** Shape of the slow-down: 1 − (1 − t)ⁿ. At 3 it looks like a heavy wheel on a good bearing. */
const NATURAL_EXPONENT = 3;

const FULL_TURN = 360;

/** A wheel that was set in motion and does not know yet where it will stop. */
export type Spin = {
  /** Rotation before the tap, in degrees. */
  from: number;
  /** Degrees per millisecond once at full speed. */
  speed: number;
};

/** The slow-down of a spin, from the moment `at` on. */
export type SlowDown = {
  at: number;
  from: number;
  distance: number;
  exponent: number;
  duration: number;
};

/** Sets the wheel in motion for 5 to 10 full turns, drawn by a random number in [0, 1). */
export function startSpin(from: number, random: number): Spin {
  const turns = WHEEL_MIN_TURNS + Math.floor(random * (WHEEL_MAX_TURNS - WHEEL_MIN_TURNS + 1));
  const fullSpeedMs = CRUISE_END_MS - START_MS / 2 + SLOW_DOWN_MS / NATURAL_EXPONENT;
  return { from, speed: (turns * FULL_TURN + FULL_TURN / 2) / fullSpeedMs };
}

function freeRotation({ from, speed }: Spin, time: number): number {
  if (time < START_MS) return from + (speed * time * time) / (2 * START_MS);
  return from + speed * (time - START_MS / 2);
}

/**
 * Plans the slow-down to `target` (0–360) once the answer is there at `time`. The speed is
 * continuous: the distance gives way by at most half a turn, and the curve bends with it.
 */
export function planStop(spin: Spin, time: number, target: number): SlowDown {
  const at = Math.max(time, CRUISE_END_MS);
  const from = freeRotation(spin, at);
  const natural = (spin.speed * SLOW_DOWN_MS) / NATURAL_EXPONENT;
  const missing = target - ((from + natural) % FULL_TURN);
  const distance = natural + ((((missing + 540) % FULL_TURN) + FULL_TURN) % FULL_TURN) - 180;
  const exponent = (spin.speed * SLOW_DOWN_MS) / distance;
  return { at, from, distance, exponent, duration: SLOW_DOWN_MS };
}

/** Lets a wheel run out from whatever speed it has, when no answer came. */
export function planCoast(spin: Spin, time: number): SlowDown {
  const speed = spin.speed * Math.min(1, time / START_MS);
  const distance = (speed * COAST_MS) / 2;
  return { at: time, from: freeRotation(spin, time), distance, exponent: 2, duration: COAST_MS };
}

/** Rotation of the wheel, in degrees, `time` milliseconds after the tap. */
export function rotationAt(spin: Spin, slowDown: SlowDown | null, time: number): number {
  if (slowDown === null || time <= slowDown.at) return freeRotation(spin, time);
  const { at, from, distance, exponent, duration } = slowDown;
  const rest = Math.max(0, 1 - (time - at) / duration);
  return from + distance * (1 - rest ** exponent);
}

/** When a slow-down is over, in milliseconds after the tap. */
export function endOf({ at, duration }: SlowDown): number {
  return at + duration;
}

/** When the wheel comes by a rotation that it has not left behind; infinite when it stops before. */
export function timeOf(spin: Spin, slowDown: SlowDown | null, rotation: number): number {
  if (slowDown !== null && rotation > slowDown.from) {
    const { at, from, distance, exponent, duration } = slowDown;
    const rest = 1 - (rotation - from) / distance;
    if (rest < -1e-9) return Number.POSITIVE_INFINITY;
    return at + duration * (1 - Math.max(0, rest) ** (1 / exponent));
  }
  const way = (rotation - spin.from) / spin.speed;
  return way < START_MS / 2 ? Math.sqrt(2 * START_MS * Math.max(0, way)) : way + START_MS / 2;
}

/** Degrees per millisecond, `time` milliseconds after the tap. */
function speedAt(spin: Spin, slowDown: SlowDown | null, time: number): number {
  if (slowDown === null || time <= slowDown.at) return spin.speed * Math.min(1, time / START_MS);
  const { at, distance, exponent, duration } = slowDown;
  const rest = Math.max(0, 1 - (time - at) / duration);
  return ((distance * exponent) / duration) * rest ** (exponent - 1);
}

/** A moment of a turn, and the curve by which the wheel goes on to the next one. */
export type TurnStep = { time: number; rotation: number; easing: string };

/** The slow-down is drawn as so many cubic curves. */
const SLOW_DOWN_PIECES = 8;

/**
 * A turn as a few cubic curves that meet with equal speed, for a browser that moves the wheel by
 * itself. A turn whose end is not known yet goes on evenly until `until`.
 */
export function turnSteps(spin: Spin, slowDown: SlowDown | null, until: number): TurnStep[] {
  const free = slowDown?.at ?? until;
  const times = [0, Math.min(START_MS, free), free];
  if (slowDown !== null) {
    for (let piece = 1; piece <= SLOW_DOWN_PIECES; piece += 1) {
      times.push(slowDown.at + (slowDown.duration * piece) / SLOW_DOWN_PIECES);
    }
  }
  const distinct = times.filter((time, index) => index === 0 || time > (times[index - 1] ?? 0));
  return distinct.map((time, index) => {
    const rotation = rotationAt(spin, slowDown, time);
    const next = distinct[index + 1] ?? time;
    const way = rotationAt(spin, slowDown, next) - rotation;
    if (way < 1e-6) return { time, rotation, easing: "linear" };
    // Control points a third of the time apart make the curve a cubic of the time itself.
    const third = (next - time) / (3 * way);
    const leaving = speedAt(spin, slowDown, time) * third;
    const arriving = 1 - speedAt(spin, slowDown, next) * third;
    const easing = `cubic-bezier(0.333333, ${leaving.toFixed(6)}, 0.666667, ${arriving.toFixed(6)})`;
    return { time, rotation, easing };
  });
}
