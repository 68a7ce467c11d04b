/** Pegs that pass faster than this are one sound. */
const SHORTEST_GAP_SECONDS = 0.035;

const TICK_SECONDS = 0.03;

/** The ticking of the pegs, made by the phone itself: no file. Off until somebody wants it. */
export type WheelSound = {
  isOn: () => boolean;
  /** Call it in a touch or a key: browsers allow sound there only. */
  turn: (isOn: boolean) => void;
  tick: () => void;
};

/** Makes the sound of a wheel. */
export function createWheelSound(): WheelSound {
  let context: AudioContext | null = null;
  let isOn = false;
  let last = 0;

  function tick() {
    if (!isOn || context === null) return;
    const now = context.currentTime;
    if (now - last < SHORTEST_GAP_SECONDS) return;
    last = now;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: 1250 });
    const volume = new GainNode(context, { gain: 0.12 });
    volume.gain.exponentialRampToValueAtTime(0.001, now + TICK_SECONDS);
    tone.connect(volume).connect(context.destination);
    tone.start(now);
    tone.stop(now + TICK_SECONDS);
  }

  return {
    isOn: () => isOn,
    turn(wanted) {
      isOn = wanted;
      if (!wanted || !("AudioContext" in window)) return;
      context ??= new AudioContext();
      context.resume().catch(() => {});
      tick();
    },
    tick,
  };
}
