import { useSyncExternalStore } from "react";

function watch(onChange: () => void): () => void {
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  return () => {
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
  };
}

/** Whether the device itself knows that it has no network. */
export function useIsOffline(): boolean {
  return useSyncExternalStore(watch, () => !navigator.onLine);
}
