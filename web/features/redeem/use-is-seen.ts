import { useSyncExternalStore } from "react";

function watch(onChange: () => void): () => void {
  document.addEventListener("visibilitychange", onChange);
  return () => document.removeEventListener("visibilitychange", onChange);
}

/** Whether somebody looks at the page: not in another tab, nor with the phone asleep. */
export function useIsSeen(): boolean {
  return useSyncExternalStore(watch, () => document.visibilityState === "visible");
}
