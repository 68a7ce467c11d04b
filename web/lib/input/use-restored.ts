import { useEffect } from "react";

/** Calls back when the browser shows a page again, as it was left, after the user went back to it. */
export function useRestored(callback: () => void): void {
  useEffect(() => {
    const show = (event: PageTransitionEvent) => {
      if (event.persisted) callback();
    };
    window.addEventListener("pageshow", show);
    return () => window.removeEventListener("pageshow", show);
  }, [callback]);
}
