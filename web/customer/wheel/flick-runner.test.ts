import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { WheelParts } from "../../ui/wheel/wheel-runner.ts";
import { createFlickableRunner } from "./flick.ts";

/** A finger on the wheel, whose middle is at (50, 50) of its corner, by events as browsers send them. */

/** Corner of the wheel on the screen. */
const CORNER = { left: 30, top: 200 };

let screen: EventTarget;
let stand: EventTarget & { style: Record<string, string> };
let wheel: { style: { transform: string }; turning: unknown[] };
let turns: { steps: Keyframe[]; animation: { currentTime: number } }[];
const onFlick = vi.fn();

function start({ isCalm = false, isHeard = true } = {}) {
  vi.stubGlobal("window", { matchMedia: () => ({ matches: isCalm }) });
  vi.stubGlobal("matchMedia", () => ({ matches: isCalm }));
  vi.stubGlobal("addEventListener", screen.addEventListener.bind(screen));
  const animate = (steps: Keyframe[]) => {
    const animation = { currentTime: 0, startTime: null, cancel: () => {} };
    turns.push({ steps, animation });
    return animation;
  };
  Object.assign(wheel, {
    parentElement: stand,
    getBoundingClientRect: () => ({ ...CORNER, width: 100, height: 100 }),
    getAnimations: () => wheel.turning,
    animate,
  });
  const parts: WheelParts = Object.assign(Object.create(null), {
    wheel,
    pointer: { style: {}, animate },
    segmentCount: 4,
    ...(isHeard && { onFlick }),
  });
  return createFlickableRunner(parts);
}

function send(target: EventTarget, type: string, x = 0, y = 0, more = {}): Event {
  const event = new Event(type);
  const finger = { clientX: CORNER.left + x, clientY: CORNER.top + y };
  target.dispatchEvent(Object.assign(event, { pointerId: 1, isPrimary: true, ...finger, ...more }));
  return event;
}

/** Turns the wheel by a quarter, clockwise, in so many milliseconds, and waits before letting go. */
function flick({ ms = 50, rest = 0, end = "pointerup" } = {}) {
  send(stand, "pointerdown", 100, 50);
  vi.advanceTimersByTime(ms);
  send(screen, "pointermove", 50, 100);
  vi.advanceTimersByTime(rest);
  send(screen, end, 50, 100);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  vi.advanceTimersByTime(60_000);
  screen = new EventTarget();
  stand = Object.assign(new EventTarget(), { style: {} });
  wheel = { style: { transform: "" }, turning: [] };
  turns = [];
  onFlick.mockReset();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a finger on the wheel", () => {
  it("turns it, and flicks it on from there at its speed", () => {
    const runner = start();
    expect(stand.style).toEqual({ touchAction: "pan-y", userSelect: "none" });
    flick();
    expect(wheel.style.transform).toBe("rotate(90.000deg)");
    expect(onFlick).toHaveBeenCalledOnce();
    expect(send(stand, "click").cancelBubble).toBe(true);
    runner.start();
    // Faster than the wheel ever is: the turn begins at its full speed.
    expect(turns[0]?.animation.currentTime).toBeGreaterThan(0);
    const rotations = turns[0]?.steps.map(({ transform }) =>
      Number(/-?[\d.]+/.exec(`${transform}`)),
    );
    expect(rotations).toEqual([...(rotations ?? [])].sort((a, b) => a - b));
    runner.dispose();
  });

  it("flicks it where nobody asks to hear of it", () => {
    const runner = start({ isHeard: false });
    flick();
    runner.start();
    expect(turns[0]?.animation.currentTime).toBeGreaterThan(0);
    runner.dispose();
  });

  it("turns it on from where it rests, to either side, and the shorter way", () => {
    start();
    wheel.style.transform = "rotate(350deg)";
    send(stand, "pointerdown", 100, 50);
    send(screen, "pointermove", 50, 0);
    expect(wheel.style.transform).toBe("rotate(260.000deg)");
    send(screen, "pointermove", 0, 49);
    send(screen, "pointermove", 0, 51);
    expect(wheel.style.transform).toMatch(/^rotate\(16[89]\.\d{3}deg\)$/);
  });

  it("flicks it against the clock's way", () => {
    const runner = start();
    send(stand, "pointerdown", 50, 100);
    vi.advanceTimersByTime(50);
    send(screen, "pointermove", 100, 50);
    send(screen, "pointerup", 100, 50);
    expect(onFlick).toHaveBeenCalledOnce();
    runner.start();
    const rotations = turns[0]?.steps.map(({ transform }) =>
      Number(/-?[\d.]+/.exec(`${transform}`)),
    );
    expect(rotations).toEqual([...(rotations ?? [])].sort((a, b) => b - a));
    runner.dispose();
  });

  it.each([
    ["rests before it is lifted", { rest: 101 }],
    ["turns it slowly", { ms: 90 / 0.1 }],
    ["is taken away by the browser", { end: "pointercancel" }],
  ])("that %s flicks nothing", (_, way) => {
    const runner = start();
    flick(way);
    expect(wheel.style.transform).toBe("rotate(90.000deg)");
    expect(onFlick).not.toHaveBeenCalled();
    runner.start();
    expect(turns[0]?.animation.currentTime).toBe(0);
    runner.dispose();
  });

  it("that rests for a moment alone flicks all the same", () => {
    start();
    // It came down a tenth of a second ago: what is measured begins there.
    flick({ ms: 50, rest: 50 });
    expect(onFlick).toHaveBeenCalledOnce();
  });

  it("that hardly moves taps", () => {
    start();
    send(stand, "pointerdown", 100, 50);
    send(screen, "pointermove", 100, 58);
    send(screen, "pointerup", 100, 58);
    expect(wheel.style.transform).toBe("");
    expect(onFlick).not.toHaveBeenCalled();
    expect(send(stand, "click").cancelBubble).toBe(false);
  });

  it.each([
    ["another finger", { isPrimary: false }, []],
    ["a wheel that turns", {}, [{}]],
  ])("holds nothing: %s", (_, more, turning) => {
    start();
    wheel.turning = turning;
    send(stand, "pointerdown", 100, 50, more);
    send(screen, "pointermove", 50, 100);
    expect(wheel.style.transform).toBe("");
  });

  it("is followed alone: a second one neither turns nor lets go", () => {
    start();
    send(stand, "pointerdown", 100, 50);
    vi.advanceTimersByTime(50);
    send(screen, "pointermove", 0, 50, { pointerId: 2 });
    expect(wheel.style.transform).toBe("");
    send(screen, "pointermove", 50, 100);
    send(screen, "pointerup", 50, 100, { pointerId: 2 });
    expect(onFlick).not.toHaveBeenCalled();
    send(screen, "pointerup", 50, 100);
    expect(onFlick).toHaveBeenCalledOnce();
  });

  it.each([{ isCalm: true }, { isCalm: false }])("is let alone: %o", ({ isCalm }) => {
    const runner = start({ isCalm });
    if (!isCalm) runner.dispose();
    flick();
    expect(wheel.style.transform).toBe("");
    expect(onFlick).not.toHaveBeenCalled();
  });

  it("that holds a wheel which is taken away is let go", () => {
    const runner = start();
    send(stand, "pointerdown", 100, 50);
    vi.advanceTimersByTime(50);
    send(screen, "pointermove", 50, 100);
    runner.dispose();
    send(screen, "pointermove", 0, 50);
    expect(wheel.style.transform).toBe("rotate(90.000deg)");
    send(screen, "pointerup", 0, 50);
    expect(onFlick).not.toHaveBeenCalled();
    expect(send(stand, "click").cancelBubble).toBe(false);
  });
});
