import { useEffect, useRef, useState } from "react";

const COUNT_MS = 1_200;

/** The number to show after a share (0 to 1) of the time: fast at first, slower towards the end. */
export function countAt(from: number, to: number, share: number): number {
  return Math.round(from + (to - from) * (1 - (1 - share) ** 3));
}

/** A number that counts up to what it has become, from `known` at first; at once where it fell, or where motion is unwelcome. */
export function useCountUp(to: number, known: number): number {
  const last = useRef(known);
  const [shown, setShown] = useState(known);
  useEffect(() => {
    const from = last.current;
    last.current = to;
    if (to <= from || matchMedia("(prefers-reduced-motion: reduce)").matches) return setShown(to);
    let start: number | null = null;
    const step = (now: number) => {
      start ??= now;
      const share = Math.min(1, (now - start) / COUNT_MS);
      setShown(countAt(from, to, share));
      if (share < 1) frame = requestAnimationFrame(step);
    };
    let frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [to]);
  return shown;
}
