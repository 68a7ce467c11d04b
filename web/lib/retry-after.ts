/** Seconds that the last refused call asked to wait; the client library keeps no headers. */
let lastWait: number | null = null;

/** Longest `Retry-After` that is honoured: a day. */
const MAX_SECONDS = 86_400;

/** Seconds that an answer asks to wait (`Retry-After`, in seconds or as a date). */
export function retryAfter(header: string | null, now: number): number | null {
  if (!header) return null;
  const seconds = /^\d+$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - now) / 1000);
  return seconds > 0 && seconds <= MAX_SECONDS ? seconds : null;
}

/** Remembers the wait of an answer that says « too many ». */
export function noteWait(response: Response): void {
  if (response.status === 429) {
    lastWait = retryAfter(response.headers.get("retry-after"), Date.now());
  }
}

/** The wait of the refusal that has just come, once. */
export function takeWait(): number | null {
  const wait = lastWait;
  lastWait = null;
  return wait;
}
