/** Limits of an export and its reader, times in milliseconds: the cursor and its connection are held meanwhile. */
export type ReaderLimits = {
  /** A reader that takes nothing for so long has left, though the network does not say so. */
  stalled: number;
  /** A reader that takes fewer bytes than that while it is waited for so long is too slow: it takes a little to keep what it holds. */
  least: { bytes: number; within: number };
  /** A reader that has not taken everything after so long is too slow to be waited for. */
  whole: number;
  /** Time after which it is asked again whether the reader still has the right to the file. */
  rights: number;
};

export const READER_LIMITS: ReaderLimits = {
  stalled: 30_000,
  // 70 kbit/s, which even a phone network of the second generation (EDGE) gives.
  least: { bytes: 512 * 1024, within: 60_000 },
  whole: 30 * 60_000,
  rights: 60_000,
};

/** The end of an export whose reader went away, stopped, was too slow or lost the right to it: nothing of ours is broken. */
export class ReaderLeft extends Error {
  readonly code: "reader_gone" | "reader_stalled" | "reader_slow" | "reader_refused";

  constructor(code: ReaderLeft["code"]) {
    super(code);
    this.code = code;
  }
}

/** A file on its way to its reader. */
export type Sending = {
  body: ReadableStream<Uint8Array>;
  /** Settles when the last part has been handed on; fails with `ReaderLeft`, or with what the parts failed with. */
  taken: Promise<void>;
  /** Ends the file, whole; to be called once all is taken. */
  close(): void;
  /** Breaks the file off, so that it is not taken for complete. */
  breakOff(error: unknown): void;
};

/**
 * Sends parts as fast as their reader takes them. Only the time counts in which a part waits for the reader, not what making
 * one takes. `mayGoOn` is asked again and again whether the reader still has the right to them. The producer of the parts has
 * released its resources (`return`) when `taken` settles.
 */
export function sendTo(
  parts: AsyncIterator<Uint8Array>,
  { stalled, least, whole, rights }: ReaderLimits,
  mayGoOn: () => Promise<boolean>,
): Sending {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let settle: { resolve(): void; reject(error: unknown): void };
  let isOver = false;
  let isGone = false;
  const taken = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  let checkedAt = performance.now();
  /** Since the pace was looked at: bytes handed on, and how long the reader was waited for. */
  let pace = { bytes: 0, waited: 0 };
  let handedOnAt: number | undefined;
  const isTooSlow = () => {
    if (handedOnAt === undefined) return false;
    pace.waited += performance.now() - handedOnAt;
    if (pace.waited < least.within) return false;
    if (pace.bytes < least.bytes) return true;
    pace = { bytes: 0, waited: 0 };
    return false;
  };
  const ending = setTimeout(() => end(new ReaderLeft("reader_slow")), whole);
  const stop = () => {
    isOver = true;
    clearTimeout(waiting);
    clearTimeout(ending);
  };
  const end = async (error: unknown) => {
    if (isOver) return;
    stop();
    await parts.return?.().catch(() => undefined);
    settle.reject(error);
  };
  const body = new ReadableStream<Uint8Array>({
    start: (ours) => {
      controller = ours;
    },
    pull: async () => {
      if (isOver) return;
      clearTimeout(waiting);
      try {
        if (isTooSlow()) return await end(new ReaderLeft("reader_slow"));
        if (performance.now() - checkedAt >= rights) {
          if (!(await mayGoOn())) return await end(new ReaderLeft("reader_refused"));
          checkedAt = performance.now();
        }
        const { value, done } = await parts.next();
        if (isOver) return;
        if (done) {
          stop();
          settle.resolve();
          return;
        }
        controller.enqueue(value);
        pace.bytes += value.byteLength;
        handedOnAt = performance.now();
        waiting = setTimeout(() => end(new ReaderLeft("reader_stalled")), stalled);
      } catch (error) {
        await end(error);
      }
    },
    cancel: () => {
      isGone = true;
      return end(new ReaderLeft("reader_gone"));
    },
  });
  return {
    body,
    taken,
    close: () => {
      if (!isGone) controller.close();
    },
    breakOff: (error) => controller.error(error),
  };
}
