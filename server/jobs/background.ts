import { setTimeout as delay } from "node:timers/promises";

/** Work that no request waits for; only the stop of the server does. */
export class Background {
  readonly #running = new Set<Promise<void>>();

  /** Runs work in the background; its errors go to `onFailure`. */
  run(work: Promise<unknown>, onFailure: (error: unknown) => void): void {
    const running = work
      .then(() => undefined, onFailure)
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Waits for what is under way, but not for ever. */
  async settle(patienceMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    await Promise.race([Promise.all(this.#running), delay(patienceMs, undefined, { ref: false })]);
  }
}
