import type { Page } from "playwright-core";

/**
 * Stops a page's clock, which then goes on by hand: what the page does by itself waits. At a moment so far ahead
 * that no machine is late for it, which the browser would refuse.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}
