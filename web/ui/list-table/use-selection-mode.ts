import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ListSelection } from "./use-selection.ts";

/** Layers over a list that take Escape for themselves. */
const OVERLAY = "dialog, [role=dialog], [role=menu]";

/** Whether a key was pressed in the list, or nowhere in particular. */
function isMeantFor(list: HTMLElement | null, target: EventTarget | null): boolean {
  if (!(target instanceof Element) || target.closest(OVERLAY)) return false;
  return target === document.body || (list?.contains(target) ?? false);
}

/**
 * Whether the cards of a list have boxes to tick. Escape ends it, and so does it that all that was ticked is gone. What
 * begins and what goes on with it has `data-selects`, and the focus.
 */
export function useSelectionMode<Item>(selection: ListSelection<Item>, isAllowed: boolean) {
  const { ticked, selected, clear } = selection;
  // Rows that were ticked in the table stay ticked where it gave way to cards.
  const [isAsked, setIsAsked] = useState(selected.length > 0);
  const isOn = isAsked && isAllowed;
  const root: RefObject<HTMLDivElement | null> = useRef(null);
  const wasOn = useRef(isOn);
  const leave = () => {
    setIsAsked(false);
    clear();
  };

  useLayoutEffect(() => {
    if (isOn && selected.length === 0 && Object.keys(ticked).length > 0) leave();
  });
  useLayoutEffect(() => {
    if (wasOn.current === isOn) return;
    wasOn.current = isOn;
    const { activeElement: focused } = document;
    const isElsewhere = focused !== document.body && !root.current?.contains(focused);
    if (!isElsewhere) root.current?.querySelector<HTMLElement>("[data-selects]")?.focus();
  }, [isOn]);
  useEffect(() => {
    if (!isOn) return;
    const onKey = ({ key, target }: KeyboardEvent) => {
      if (key === "Escape" && isMeantFor(root.current, target)) leave();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
  return { root, isOn, enter: () => setIsAsked(true), leave };
}
