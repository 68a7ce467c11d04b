import { useEffect, useEffectEvent } from "react";

/**
 * Calls back at the first key of a code typed outside of any field. The callback moves the focus
 * into one, where the browser then puts this very character.
 */
export function useTypeAhead(isOn: boolean, onStart: () => void): void {
  const start = useEffectEvent(onStart);
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const isShortcut = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
      if (!isShortcut && /^[\p{L}\p{N}]$/u.test(event.key)) start();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [isOn]);
}
