/** A sleep that can be cut short; a call outside of a sleep shortens the next one. */
export class InterruptibleSleep {
  #wake: (() => void) | null = null;
  #isCalled = false;

  /** Sleeps so many milliseconds, or until `wake` is called. */
  async sleep(milliseconds: number): Promise<void> {
    if (!this.#isCalled) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = null;
    this.#isCalled = false;
  }

  /** Ends the sleep that is under way, or the next one before it starts. */
  wake(): void {
    this.#isCalled = true;
    this.#wake?.();
  }
}
