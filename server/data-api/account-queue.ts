/**
 * Requests of one account that run at the same time: fewer than half of the data API's connections. A statement may take
 * eight seconds, and one account with many such statements would keep everybody else waiting.
 */
const CONCURRENCY = 4;

/** Requests of one account that wait: screens and tills send a few. */
const MAX_WAITING = 200;

/** Concurrency limit of the data API, per account. */
export type AccountQueue = {
  /** Runs an account's work once it has a free slot; null when too much of its work is waiting already. */
  run<Result>(account: string, work: () => Promise<Result>): Promise<Result> | null;
};

type Slots = { running: number; waiting: (() => void)[] };

/** Creates the queue of this process. */
export function createAccountQueue({
  concurrency = CONCURRENCY,
  maxWaiting = MAX_WAITING,
} = {}): AccountQueue {
  const byAccount = new Map<string, Slots>();

  const leave = (account: string, slots: Slots) => {
    const next = slots.waiting.shift();
    // The account's next request takes over the slot.
    if (next) return next();
    slots.running -= 1;
    if (slots.running === 0) byAccount.delete(account);
  };

  return {
    run(account, work) {
      const slots = byAccount.get(account) ?? { running: 0, waiting: [] };
      if (slots.waiting.length >= maxWaiting) return null;
      byAccount.set(account, slots);
      const begun =
        slots.running < concurrency
          ? Promise.resolve()
          : new Promise<void>((resolve) => slots.waiting.push(resolve));
      if (slots.running < concurrency) slots.running += 1;
      return begun.then(work).finally(() => leave(account, slots));
    },
  };
}
