import * as z from "zod/mini";
import { DAY_MS } from "#domain/text/durations.ts";
import { forget, recall, remember } from "../memory/storage.ts";

/** Pegs that pass faster than this are one sound. */
const MIN_GAP_S = 0.035;

const TICK_SECONDS = 0.03;

/** Notes of a win, in hertz: a major chord, upwards. */
const CHIME = [659.26, 830.61, 987.77] as const;

/** From one note to the next, and how long a note rings, in seconds. */
const NOTE_GAP_SECONDS = 0.13;
const NOTE_SECONDS = 0.9;

/** Whether the sound of the wheel is on: stored once a phone, for all wheels. */
const WANTED = "tournavis:sound";
const WANTED_LIFE_MS = 366 * DAY_MS;

/** Sounds that the phone itself makes: no file. Off until they are switched on. */
export type WheelSound = {
  isOn: () => boolean;
  /** Call it in a touch or a key: browsers allow sound there only. */
  turn: (isOn: boolean) => void;
  /** Call it in the touch that starts the wheel: who wanted sound on an earlier visit hears it. */
  wake: () => void;
  /** A peg passes. */
  tick: () => void;
  /** A prize was won. */
  chime: () => void;
};

type Note = { type: OscillatorType; frequency: number; volume: number; at: number; length: number };

function sound(context: AudioContext, { type, frequency, volume, at, length }: Note): void {
  const tone = new OscillatorNode(context, { type, frequency });
  const gain = new GainNode(context, { gain: volume });
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  tone.connect(gain).connect(context.destination);
  tone.start(at);
  tone.stop(at + length);
}

/** Makes the sounds of a wheel. */
export function createWheelSound(): WheelSound {
  let context: AudioContext | null = null;
  let isOn = recall("phone", WANTED, z.boolean()) ?? false;
  let last = 0;

  function wake() {
    if (!isOn || !("AudioContext" in window)) return;
    context ??= new AudioContext();
    context.resume().catch(() => {});
  }

  function tick() {
    if (!isOn || context === null) return;
    const now = context.currentTime;
    if (now - last < MIN_GAP_S) return;
    last = now;
    sound(context, {
      type: "triangle",
      frequency: 1250,
      volume: 0.12,
      at: now,
      length: TICK_SECONDS,
    });
  }

  return {
    isOn: () => isOn,
    turn(wanted) {
      isOn = wanted;
      if (wanted) remember("phone", WANTED, true, WANTED_LIFE_MS);
      else forget("phone", WANTED);
      wake();
      tick();
    },
    wake,
    tick,
    chime() {
      if (!isOn || context === null) return;
      const now = context.currentTime;
      for (const [place, frequency] of CHIME.entries()) {
        const at = now + place * NOTE_GAP_SECONDS;
        sound(context, { type: "sine", frequency, volume: 0.18, at, length: NOTE_SECONDS });
      }
    },
  };
}
