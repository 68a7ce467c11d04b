/** Cached value, and when it was last confirmed. */
type Entry<Value> = {
  value: Value;
  checkedAt: number;
  refreshing: Promise<Value> | null;
};

/**
 * Keeps values for less than a second, so that a crowd costs the database one question a
 * second and a change shows within that second. All who ask while a value is being read
 * wait for the same reading. Bounded: the entry that was read longest ago goes first.
 */
export class PageCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #read: (key: string, previous: Value | undefined) => Promise<Value>;
  readonly #lifetime: number;
  readonly #capacity: number;

  /** `read` gets the previous value too, so that it can hand it back when nothing changed. */
  constructor(options: {
    read: (key: string, previous: Value | undefined) => Promise<Value>;
    lifetimeMs: number;
    capacity: number;
  }) {
    this.#read = options.read;
    this.#lifetime = options.lifetimeMs;
    this.#capacity = options.capacity;
  }

  /** The value itself when it is fresh (no promise: the hot path stays synchronous), else a promise. */
  get(key: string): Value | Promise<Value> {
    const entry = this.#entries.get(key);
    if (entry) {
      if (performance.now() - entry.checkedAt < this.#lifetime) return entry.value;
      entry.refreshing ??= this.#refresh(key, entry.value).finally(() => {
        entry.refreshing = null;
      });
      return entry.refreshing;
    }
    const pending = this.#pending.get(key);
    if (pending) return pending;
    const reading = this.#refresh(key, undefined).finally(() => this.#pending.delete(key));
    this.#pending.set(key, reading);
    return reading;
  }

  /** First readings under way: there is no entry yet to hang them on. */
  readonly #pending = new Map<string, Promise<Value>>();

  async #refresh(key: string, previous: Value | undefined): Promise<Value> {
    // The age counts from the question: what changed after it was asked may be missing.
    const checkedAt = performance.now();
    const value = await this.#read(key, previous);
    this.#entries.delete(key);
    this.#entries.set(key, { value, checkedAt, refreshing: null });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#capacity && oldest !== undefined) this.#entries.delete(oldest);
    return value;
  }
}
