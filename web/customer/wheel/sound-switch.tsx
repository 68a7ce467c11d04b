import { useState } from "react";
import { followingStepCopy } from "./following-step.copy.ts";
import type { WheelSound } from "./wheel-sound.ts";

/** Switches the ticking on and off. */
export function SoundSwitch({ sound }: { sound: WheelSound }) {
  const [isOn, setIsOn] = useState(sound.isOn());

  function toggle() {
    sound.turn(!isOn);
    setIsOn(!isOn);
  }

  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      onClick={toggle}
      className="group -my-2 flex min-h-11 w-fit cursor-pointer items-center gap-2 pr-3 text-base font-bold"
    >
      <span
        aria-hidden="true"
        className="h-6 w-10 rounded-full bg-field p-0.5 transition-colors duration-150 group-aria-checked:bg-violet"
      >
        <span className="block size-5 rounded-full bg-surface transition-transform duration-150 group-aria-checked:translate-x-4" />
      </span>
      {followingStepCopy.sound}
    </button>
  );
}
