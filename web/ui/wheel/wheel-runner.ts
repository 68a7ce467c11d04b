import { pegCount, restingPlace, rotationTo } from "./wheel-geometry.ts";
import {
  hasStopped,
  planCoast,
  planStop,
  rotationAt,
  type SlowDown,
  type Spin,
  startSpin,
} from "./wheel-motion.ts";

/** How far a peg pushes the pointer aside, in degrees. */
const POINTER_PUSH = 24;

/** How fast the pointer springs back, as a time constant in milliseconds. */
const POINTER_SPRING_MS = 55;

/** The wheel rests this long before the result shows, so that one sees where it stopped. */
const HOLD_MS = 650;

/** Half of the fade that stands for the spin when motion is unwanted. */
const FADE_MS = 220;

type WheelParts = {
  wheel: HTMLElement;
  pointer: SVGElement;
  slices: number;
  /** Called when a peg passes the pointer, once a frame at most. */
  onPeg?: () => void;
};

type Turning = { spin: Spin; since: number; slowDown: SlowDown | null; onStopped: () => void };

/** Moves a wheel: it starts at once, and stops where it is told as soon as that is known. */
export type WheelRunner = {
  start: () => void;
  /** Slows down to a slice, then calls back. */
  stopAt: (slice: number, onStopped: () => void) => void;
  /** Runs out without a result. Harmless when the wheel rests. */
  coast: () => void;
  dispose: () => void;
};

/** How many pegs have passed the pointer at a rotation. */
function pegsPassed(rotation: number, slices: number): number {
  return Math.floor((rotation + 180 / slices) / (360 / pegCount(slices)));
}

/** How far the pegs push the pointer at a rotation: it bends while one passes, then is free. */
function pegPush(rotation: number, slices: number): number {
  const gap = 360 / pegCount(slices);
  const passed = (rotation + 180 / slices) % gap;
  const contact = Math.min(6, gap * 0.35);
  return passed < contact ? (POINTER_PUSH * passed) / contact : 0;
}

/**
 * Makes the runner of a drawn wheel. It writes two transforms a frame, outside React, so
 * that a cheap phone keeps up.
 */
export function createWheelRunner({ wheel, pointer, slices, onPeg }: WheelParts): WheelRunner {
  const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  let rotation = 0;
  let push = 0;
  let lastFrame = 0;
  let turning: Turning | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show() {
    wheel.style.transform = `rotate(${rotation}deg)`;
    pointer.style.transform = `rotate(${push}deg)`;
  }

  function frame(now: number) {
    if (turning === null) return;
    const { spin, since, slowDown, onStopped } = turning;
    const time = Math.max(0, now - since);
    const passed = pegsPassed(rotation, slices);
    rotation = rotationAt(spin, slowDown, time);
    if (pegsPassed(rotation, slices) !== passed) onPeg?.();
    const bent = pegPush(rotation, slices);
    push = Math.max(bent, push * Math.exp((lastFrame - now) / POINTER_SPRING_MS));
    lastFrame = now;
    show();
    if (!hasStopped(slowDown, time) || push > bent + 0.2) {
      requestAnimationFrame(frame);
      return;
    }
    rotation %= 360;
    turning = null;
    timer = setTimeout(onStopped, HOLD_MS);
  }

  function fadeTo(slice: number, onStopped: () => void) {
    wheel.style.transition = `opacity ${FADE_MS}ms`;
    wheel.style.opacity = "0";
    timer = setTimeout(() => {
      rotation = rotationTo(slice, slices, restingPlace(Math.random()));
      show();
      wheel.style.opacity = "1";
      timer = setTimeout(onStopped, FADE_MS + HOLD_MS);
    }, FADE_MS);
  }

  return {
    start() {
      if (isStill) return;
      const isRunningOut = turning !== null;
      const since = performance.now();
      const spin = startSpin(rotation, Math.random());
      turning = { spin, since, slowDown: null, onStopped: () => {} };
      lastFrame = since;
      if (!isRunningOut) requestAnimationFrame(frame);
    },
    stopAt(slice, onStopped) {
      if (turning === null) {
        fadeTo(slice, onStopped);
        return;
      }
      const target = rotationTo(slice, slices, restingPlace(Math.random()));
      const time = performance.now() - turning.since;
      turning = { ...turning, slowDown: planStop(turning.spin, time, target), onStopped };
    },
    coast() {
      if (turning === null || turning.slowDown !== null) return;
      const slowDown = planCoast(turning.spin, performance.now() - turning.since);
      turning = { ...turning, slowDown };
    },
    dispose() {
      turning = null;
      clearTimeout(timer);
    },
  };
}
