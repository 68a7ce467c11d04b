import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stubBrowser } from "../testing/browser-stubs.ts";
import { createWheelSound } from "./wheel-sound.ts";

beforeEach(() => stubBrowser());
afterEach(() => vi.unstubAllGlobals());

it("the sound is off until a player turns it on, and the phone remembers that", () => {
  expect(createWheelSound().isOn()).toBe(false);
  createWheelSound().turn(true);
  expect(createWheelSound().isOn()).toBe(true);
  createWheelSound().turn(false);
  expect(createWheelSound().isOn()).toBe(false);
});

describe("the tones", () => {
  type Tone = { type: string; frequency: number; from: number; to: number };
  let tones: Tone[];
  let time: number;
  const setValueAtTime = vi.fn();
  const exponentialRampToValueAtTime = vi.fn();
  const resume = vi.fn(() => Promise.reject(new Error("not in a touch")));

  beforeEach(() => {
    tones = [];
    time = 10;
    resume.mockClear();
    class Context {
      readonly destination = {};
      readonly resume = resume;
      get currentTime() {
        return time;
      }
    }
    class Oscillator {
      readonly tone: Tone;
      constructor(_: Context, { type, frequency }: { type: string; frequency: number }) {
        this.tone = { type, frequency, from: 0, to: 0 };
        tones.push(this.tone);
      }
      connect = (next: unknown) => next;
      start(at: number) {
        this.tone.from = at;
      }
      stop(at: number) {
        this.tone.to = at;
      }
    }
    class Gain {
      readonly gain = { setValueAtTime, exponentialRampToValueAtTime };
      connect = (next: unknown) => next;
    }
    Object.assign(window, { AudioContext: Context });
    vi.stubGlobal("AudioContext", Context);
    vi.stubGlobal("OscillatorNode", Oscillator);
    vi.stubGlobal("GainNode", Gain);
  });

  it("are none while the sound is off, and none before a touch", () => {
    const off = createWheelSound();
    off.wake();
    off.tick();
    off.chime();
    expect(resume).not.toHaveBeenCalled();
    createWheelSound().turn(true);
    tones = [];
    const wanted = createWheelSound();
    wanted.tick();
    wanted.chime();
    expect(tones).toEqual([]);
    wanted.wake();
    wanted.tick();
    expect(tones).toHaveLength(1);
    wanted.turn(false);
    wanted.chime();
    expect(tones).toHaveLength(1);
  });

  it("tick once where pegs pass faster than one hears", () => {
    const sound = createWheelSound();
    sound.turn(true);
    expect(tones).toEqual([{ type: "triangle", frequency: 1250, from: 10, to: 10.03 }]);
    expect(setValueAtTime.mock.lastCall).toEqual([0.12, 10]);
    expect(exponentialRampToValueAtTime.mock.lastCall).toEqual([0.001, 10.03]);
    for (const [at, count] of [
      [10.03, 1],
      [10.04, 2],
      [10.06, 2],
      [10.08, 3],
    ] as const) {
      time = at;
      sound.tick();
      expect(tones).toHaveLength(count);
    }
  });

  it("of a win rise, one after the other", () => {
    const sound = createWheelSound();
    sound.turn(true);
    tones = [];
    sound.chime();
    expect(tones.map(({ frequency }) => frequency)).toEqual([659.26, 830.61, 987.77]);
    expect(tones.map(({ from }) => from)).toEqual([10, 10.13, 10.26]);
    expect(tones.map(({ from, to }) => Number((to - from).toFixed(3)))).toEqual([0.9, 0.9, 0.9]);
  });

  it("are missed by nobody where the browser has none", () => {
    Reflect.deleteProperty(window, "AudioContext");
    const sound = createWheelSound();
    sound.turn(true);
    sound.chime();
    expect(tones).toEqual([]);
  });
});
