import { type ComponentType, useCallback, useEffect, useState } from "react";
import { renewRelease } from "../../../lib/missing-parts.ts";

const load = () => import("./palette.tsx").then(({ Palette }) => Palette);

function isShortcut({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey && !shiftKey;
}

/** Opens the search through everything, which is loaded when it is first wanted; `Ctrl K` or `⌘ K` does so, too. */
export function usePalette() {
  const [isOpen, setIsOpen] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const [Palette, setPalette] = useState<ComponentType<{ onClose: () => void }> | null>(null);

  const open = useCallback(() => {
    setIsOpen(true);
    setHasFailed(false);
    load().then(
      (loaded) => setPalette(() => loaded),
      (error: unknown) => {
        setIsOpen(false);
        setHasFailed(true);
        void renewRelease(error);
      },
    );
  }, []);
  const close = useCallback(() => setIsOpen(false), []);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      if (isOpen) close();
      // Another dialog asks something first.
      else if (!document.querySelector("dialog[open]")) open();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [isOpen, open, close]);

  return { Palette: isOpen ? Palette : null, hasFailed, open, close };
}
