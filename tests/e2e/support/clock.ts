import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Stops a page's clock, which then goes on by hand: the page's timers wait. At a moment so far ahead
 * that no machine is late for it, which the browser would refuse.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

/**
 * Lets a stopped clock go on in steps of so many milliseconds until a question about the page has this answer. Where an
 * answer of the network has to come in between, the machine's time counts, and the page's own deadlines stay far.
 */
export async function runUntil<T>(page: Page, step: number, ask: () => T | Promise<T>, answer: T) {
  await expect
    .poll(
      async () => {
        await page.clock.runFor(step);
        return ask();
      },
      // Pages load their parts meanwhile.
      { timeout: 60_000 },
    )
    .toEqual(answer);
}
