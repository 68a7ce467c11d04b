import type { Page } from "playwright-core";

/** The narrowest phone. */
export const NARROW = { viewport: { width: 320, height: 568 } };

/**
 * How wide the page is, and how wide the phone shows it: 320 both where nothing sticks out. The pages cut what does: words
 * beyond the edge come as well.
 */
export async function widths(page: Page): Promise<(number | string)[]> {
  return page.evaluate(() => {
    const beyond: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      const around = text.parentElement;
      // Texts for screen readers alone may lie anywhere; truncated texts end within the page.
      if (!around || around.closest(".sr-only, svg, script, .truncate")) continue;
      range.selectNodeContents(text);
      const { left, right } = range.getBoundingClientRect();
      if (left < -1 || right > innerWidth + 1) beyond.push(text.textContent ?? "");
    }
    return [
      document.documentElement.scrollWidth,
      Math.round(window.visualViewport?.width ?? 0),
      ...beyond,
    ];
  });
}

/** Answer of `widths` where everything fits. */
export const FITS = [320, 320];
