import { useEffect, useState } from "react";
import { AppError } from "./app-error.ts";

/** Shortest pause between two mails or messages to the same person, as the platform counts it. */
export const RESEND_SECONDS = 60;

/** Seconds left of a pause, and how to begin one. Counted by the clock: a sleeping tab loses nothing. */
export function useCountdown(initial = 0): [left: number, start: (seconds: number) => void] {
  const [end, setEnd] = useState(() => Date.now() + initial * 1000);
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, Math.ceil((end - now) / 1000));

  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);

  const start = (seconds: number) => {
    const begun = Date.now();
    setNow(begun);
    setEnd(begun + seconds * 1000);
  };
  return [left, start];
}

/** Callbacks of sending a mail or message: the pause before the next, or the one that a refusal asks for. */
export function pauseAfter(pause: (seconds: number) => void) {
  return {
    onSuccess: () => pause(RESEND_SECONDS),
    onError: (error: Error) => {
      if (error instanceof AppError && error.retryAfter) pause(error.retryAfter);
    },
  };
}
