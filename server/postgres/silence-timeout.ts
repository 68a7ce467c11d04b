/** Interval at which silence is measured: time for which this process itself was suspended does not count. */
const STEP_MS = 100;

/** Longest silence; the clock restarts whenever `signs`, a counter such as bytes received, has grown. */
export type SilenceTimeout = { milliseconds: number; signs: () => number };

/** Settles as the question does, or rejects with `CONNECT_TIMEOUT` after a silence. */
export async function withSilenceTimeout<T>(
  question: PromiseLike<T>,
  { milliseconds, signs }: SilenceTimeout,
): Promise<T> {
  let left = milliseconds;
  let known = signs();
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const now = signs();
      left = now > known ? milliseconds : left - STEP_MS;
      known = now;
      if (left <= 0) reject(new DatabaseSilentError());
    }, STEP_MS);
  });
  try {
    return await Promise.race([question, silence]);
  } finally {
    clearInterval(timer);
  }
}

/** Database that did not answer in time. */
class DatabaseSilentError extends Error {
  override readonly name = "DatabaseSilentError";
  readonly code = "CONNECT_TIMEOUT";
}
