import { type RefObject, useEffect, useRef } from "react";

/** Scrolls the element that the user came for into view and focuses it, once, when it first appears. */
export function useBroughtIntoView<Part extends HTMLElement>(
  isAsked: boolean,
): RefObject<Part | null> {
  const place = useRef<Part>(null);
  useEffect(() => {
    if (!isAsked) return;
    // After the router has put a new page at its top.
    const frame = requestAnimationFrame(() => {
      place.current?.focus({ preventScroll: true });
      place.current?.scrollIntoView({ block: "center" });
    });
    return () => cancelAnimationFrame(frame);
  }, [isAsked]);
  return place;
}
