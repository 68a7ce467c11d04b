import { type RefObject, useEffect, useRef } from "react";

/**
 * Closes what lies open over the page on a press anywhere else, and on Escape. The answer belongs around it and the
 * button that opens it.
 */
export function useDismissal(
  isOpen: boolean,
  setIsOpen: (isOpen: false) => void,
): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const listening = new AbortController();
    const options = { signal: listening.signal };
    const onPress = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setIsOpen(false);
    };
    document.addEventListener("pointerdown", onPress, options);
    document.addEventListener(
      "keydown",
      ({ key }) => key === "Escape" && setIsOpen(false),
      options,
    );
    return () => listening.abort();
  }, [isOpen, setIsOpen]);
  return root;
}
