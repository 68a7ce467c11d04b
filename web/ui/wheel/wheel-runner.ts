import { FLUTTER, leanSteps, nextPegAt } from "./pointer-motion.ts";
import { restingPlace, rotationTo } from "./wheel-geometry.ts";
import {
  endOf,
  planCoast,
  planStop,
  rotationAt,
  type SlowDown,
  type Spin,
  startSpin,
  turnSteps,
} from "./wheel-motion.ts";

/** The wheel rests this long before the result shows, so that one sees where it stopped. */
const HOLD_MS = 650;

/** A wheel whose answer does not come turns evenly for this long at most. */
const MAX_WAIT_MS = 120_000;

/** Pegs that pass faster than this are one tick. */
const MIN_TICK_MS = 16;

export type WheelParts = {
  wheel: HTMLElement;
  pointer: Element & ElementCSSInlineStyle;
  segmentCount: number;
  /** Called when a peg passes the pointer, once a frame at most. */
  onPeg?: () => void;
  /** Called when the user flicks the wheel, where the runner knows how (`flick.ts`). */
  onFlick?: () => void;
};

/** A spin that a hand has begun: the wheel has its speed of `at` milliseconds after a tap already. */
export type Begun = { spin: Spin; at: number; direction: 1 | -1 };

/** Animations of a spin, one each: a browser carries out no two of one thing by itself. */
type Turn = { spin: Spin; slowDown: SlowDown | null; wheel: Animation; pointer: Animation };

/** Moves a wheel: it starts at once, and stops at its target as soon as that is known. */
export type WheelRunner = {
  start: (begun?: Begun) => void;
  /** Slows down to a segment, then calls back. */
  stopAt: (segment: number, onStopped: () => void) => void;
  /** Runs out without a result. Harmless when the wheel rests. */
  coast: () => void;
  dispose: () => void;
};

function turned(degrees: number): string {
  return `rotate(${degrees.toFixed(3)}deg)`;
}

/** Milliseconds since the tap, as the browser shows the wheel. */
function elapsed({ wheel: { currentTime } }: Turn): number {
  return typeof currentTime === "number" ? currentTime : 0;
}

/**
 * Makes the runner of a drawn wheel. The browser is given the whole motion beforehand and carries it
 * out beside the page's script (docs/decisions/039): whatever the script does meanwhile, no frame waits for it,
 * and nothing is laid out or painted anew.
 */
export function createWheelRunner({
  wheel,
  pointer,
  segmentCount,
  onPeg,
}: WheelParts): WheelRunner {
  const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  // As far as the wheel has turned, to whichever side it turns.
  let rotation = 0;
  let direction: Begun["direction"] = 1;
  let turn: Turn | null = null;
  let stopping: ReturnType<typeof setTimeout> | undefined;
  let ticking: ReturnType<typeof setTimeout> | undefined;

  /** Turns the wheel by a plan, from its beginning. */
  function turnBy(spin: Spin, slowDown: SlowDown | null): Animation {
    const until = slowDown === null ? MAX_WAIT_MS : endOf(slowDown);
    return wheel.animate(
      turnSteps(spin, slowDown, until).map(({ time, rotation: degrees, easing }) => ({
        offset: time / until,
        transform: turned(direction * degrees),
        easing,
      })),
      { duration: until, fill: "forwards" },
    );
  }

  function flutter(): Animation {
    const { least, most, duration } = FLUTTER;
    const pushes = [least, most].map((push) => ({ transform: turned(direction * push) }));
    return pointer.animate(pushes, {
      duration,
      iterations: Number.POSITIVE_INFINITY,
      direction: "alternate",
    });
  }

  /** Lets the pegs push the pointer one by one, from now on. */
  function leanBy(spin: Spin, slowDown: SlowDown, now: number): Animation {
    const steps = leanSteps(spin, slowDown, segmentCount, now);
    const first = steps[0]?.time ?? now;
    const duration = (steps.at(-1)?.time ?? now) - first;
    return pointer.animate(
      steps.map(({ time, push }) => ({
        offset: Math.min(1, (time - first) / duration),
        transform: turned(direction * push),
      })),
      { delay: first, duration, fill: "forwards" },
    );
  }

  /** Goes on by another plan, from where the wheel is. */
  function slowTo(slowDown: SlowDown) {
    if (turn === null) return;
    const { spin, wheel: before, pointer: fluttering } = turn;
    const now = elapsed(turn);
    turn = {
      spin,
      slowDown,
      wheel: turnBy(spin, slowDown),
      pointer: leanBy(spin, slowDown, now),
    };
    if (before.startTime !== null) {
      turn.wheel.startTime = before.startTime;
      turn.pointer.startTime = before.startTime;
    }
    before.cancel();
    fluttering.cancel();
  }

  /** Lets go of what moves. */
  function letGo() {
    turn?.wheel.cancel();
    turn?.pointer.cancel();
    turn = null;
    clearTimeout(stopping);
    clearTimeout(ticking);
  }

  /** Rests where the plan ends. */
  function settle() {
    if (turn === null || turn.slowDown === null) return;
    rotation = rotationAt(turn.spin, turn.slowDown, endOf(turn.slowDown)) % 360;
    const push = leanSteps(turn.spin, turn.slowDown, segmentCount, 0).at(-1)?.push ?? 0;
    wheel.style.transform = turned(direction * rotation);
    pointer.style.transform = turned(direction * push);
    letGo();
  }

  function settleLater(onSettled: () => void) {
    if (turn === null || turn.slowDown === null) return;
    stopping = setTimeout(
      () => {
        settle();
        onSettled();
      },
      endOf(turn.slowDown) - elapsed(turn) + HOLD_MS,
    );
  }

  function tick() {
    if (turn === null) return;
    const now = elapsed(turn);
    const next = nextPegAt(turn.spin, turn.slowDown, segmentCount, now);
    if (!Number.isFinite(next)) return;
    ticking = setTimeout(
      () => {
        onPeg?.();
        tick();
      },
      Math.max(MIN_TICK_MS, next - now),
    );
  }

  return {
    start(begun) {
      if (isStill) return;
      if (turn !== null) {
        // It was still running out: on from there.
        rotation = rotationAt(turn.spin, turn.slowDown, elapsed(turn)) % 360;
        letGo();
      }
      const { spin, at } = begun ?? { spin: startSpin(rotation, Math.random()), at: 0 };
      direction = begun?.direction ?? direction;
      turn = { spin, slowDown: null, wheel: turnBy(spin, null), pointer: flutter() };
      turn.wheel.currentTime = at;
      if (onPeg !== undefined) tick();
    },
    stopAt(segment, onStopped) {
      const target = direction * rotationTo(segment, segmentCount, restingPlace(Math.random()));
      if (turn !== null) {
        slowTo(planStop(turn.spin, elapsed(turn), target));
        settleLater(onStopped);
        return;
      }
      // With reduced motion it shows where it stopped at once.
      rotation = target;
      wheel.style.transform = turned(direction * rotation);
      stopping = setTimeout(onStopped);
    },
    coast() {
      if (turn === null || turn.slowDown !== null) return;
      slowTo(planCoast(turn.spin, elapsed(turn)));
      settleLater(() => {});
    },
    dispose: letGo,
  };
}
