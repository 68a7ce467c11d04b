import { useEffect, useEffectEvent, useState } from "react";
import { deviceMemory, SHORTCUTS_KEY } from "../../../lib/device-memory.ts";
import { reviewsCopy } from "../reviews.copy.ts";

type Key = "j" | "k" | "r" | "e";

/** Whether the user is typing, or a dialog is open over the page. */
function isElsewhere({ target }: KeyboardEvent): boolean {
  const isField =
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]");
  return Boolean(isField) || document.querySelector("dialog[open]") !== null;
}

/** Keys that act outside of text fields; users of speech input can switch them off on this device. */
export function useShortcuts(actions: Record<Key, () => unknown>) {
  const [isOn, setIsOn] = useState(() => deviceMemory.read(SHORTCUTS_KEY) !== "off");
  const act = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isElsewhere(event))
      return;
    const key = event.key.toLowerCase();
    if (key !== "j" && key !== "k" && key !== "r" && key !== "e") return;
    event.preventDefault();
    actions[key]();
  });
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => act(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [isOn]);
  return {
    isOn,
    onToggle: () => {
      deviceMemory.write(SHORTCUTS_KEY, isOn ? "off" : "");
      setIsOn(!isOn);
    },
  };
}

/** Keyboard shortcuts, where there is a keyboard, and their switch. */
export function ShortcutHint({ isOn, onToggle }: { isOn: boolean; onToggle: () => void }) {
  return (
    <div className="hidden flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted lg:flex">
      {isOn &&
        reviewsCopy.keys.list.map(([key, words]) => (
          <span key={key} className="inline-flex items-center gap-1.5">
            <kbd className="rounded border border-field bg-surface px-1.5 font-sans font-semibold text-ink">
              {key}
            </kbd>
            {words}
          </span>
        ))}
      <button type="button" onClick={onToggle} className="min-h-11 underline underline-offset-4">
        {isOn ? reviewsCopy.keys.off : reviewsCopy.keys.on}
      </button>
    </div>
  );
}
