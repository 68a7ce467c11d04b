/** Steps in which silence is counted: time in which this process itself stood still is not the other side's. */
const STEP_MS = 100;

/** How long an answer is waited for: the time begins anew with each sign of life, a number that grows. */
export type Patience = { milliseconds: number; signs: () => number };

/** The outcome of a question, or a failure after a silence. */
export async function unlessSilent<T>(
  question: PromiseLike<T>,
  { milliseconds, signs }: Patience,
): Promise<T> {
  let left = milliseconds;
  let known = signs();
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const now = signs();
      left = now > known ? milliseconds : left - STEP_MS;
      known = now;
      if (left <= 0) reject(new DatabaseSilent());
    }, STEP_MS);
  });
  try {
    return await Promise.race([question, silence]);
  } finally {
    clearInterval(timer);
  }
}

/** Nobody answered in time. */
class DatabaseSilent extends Error {
  override readonly name = "DatabaseSilent";
  readonly code = "CONNECT_TIMEOUT";
}
