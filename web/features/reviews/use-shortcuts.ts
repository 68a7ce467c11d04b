import { useEffect, useEffectEvent, useState } from "react";
import { deviceMemory, SHORTCUTS_KEY } from "../../lib/device-memory.ts";

type Key = "j" | "k" | "r" | "e";

/** Whether somebody is typing, or a question stands over the page. */
function isElsewhere({ target }: KeyboardEvent): boolean {
  const isField =
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]");
  return Boolean(isField) || document.querySelector("dialog[open]") !== null;
}

/** Keys that act while nobody types; whoever speaks to their computer can switch them off on this device. */
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
