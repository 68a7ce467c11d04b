import { useCallback, useEffect, useRef, useState } from "react";
import { renewPage } from "./renew-page.ts";

/** State of the parts that the first step does not need, and how to get them. */
export type LazyState<Parts> = {
  /** Null until it has been loaded. */
  later: Parts | null;
  /** Loads it once; null when the network is lost, and then it may be tried again. */
  load: () => Promise<Parts | null>;
  /** The page's script has taken over from the server's HTML. */
  isLive: boolean;
  /** The last attempt found no network. */
  isOffline: boolean;
};

/**
 * Loads the rest of a page apart from its first step: at once when there is something to
 * take up again, else as soon as the page is touched, so that it is there in time.
 */
export function useLazyParts<Parts>(
  loadParts: () => Promise<Parts>,
  isUrgent: () => boolean,
): LazyState<Parts> {
  const [later, setLater] = useState<Parts | null>(null);
  const [isLive, setIsLive] = useState(false);
  const [isOffline, setIsOffline] = useState(false);
  const given = useRef({ loadParts, isUrgent });
  const loading = useRef<Promise<Parts> | null>(null);

  const warmUp = useCallback(async () => {
    loading.current ??= given.current.loadParts();
    try {
      const parts = await loading.current;
      setLater(parts);
      setIsOffline(false);
      return parts;
    } catch {
      loading.current = null;
      return null;
    }
  }, []);

  const load = useCallback(async () => {
    const parts = await warmUp();
    setIsOffline(parts === null);
    if (parts === null) void renewPage();
    return parts;
  }, [warmUp]);

  useEffect(() => {
    setIsLive(true);
    if (given.current.isUrgent()) load();
    // Preloaded: if the network is lost, the next step reports it.
    const touch = () => void warmUp();
    addEventListener("pointerdown", touch, { once: true });
    addEventListener("focusin", touch, { once: true });
    return () => {
      removeEventListener("pointerdown", touch);
      removeEventListener("focusin", touch);
    };
  }, [load, warmUp]);

  // A press from before the script listened takes effect now.
  useEffect(() => {
    const held = isLive && document.querySelector<HTMLElement>("[data-pressed]");
    if (!held) return;
    held.removeAttribute("data-pressed");
    held.click();
  }, [isLive]);

  return { later, load, isLive, isOffline };
}
