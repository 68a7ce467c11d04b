import type { Page } from "playwright-core";
import { expect } from "vitest";
import { accessibilityProblems } from "../../harness/browser.ts";

/**
 * The other looks of a page than the one it has: from the smallest phone to a computer, by day and by night. Not each width
 * in both lights: these pages know no night (`nightRules`).
 */
const LOOKS = [
  [320, "dark"],
  [768, "light"],
  [1280, "dark"],
] as const;

/**
 * Has axe look at a customer's page as it stands, and at its colours and places in every width, by day and by night: nothing
 * sticks out, and whoever reads it in the sun can (contrast AAA).
 */
export async function lookEverywhere(page: Page, what: string): Promise<void> {
  expect(await accessibilityProblems(page, { isSunlit: true }), what).toEqual([]);
  const size = page.viewportSize();
  for (const [width, colorScheme] of LOOKS) {
    await page.setViewportSize({ width, height: size?.height ?? 844 });
    await page.emulateMedia({ colorScheme });
    const look = `${what}, ${width}, ${colorScheme}`;
    // A page takes a moment to settle in another width.
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: look })
      .toBe(width);
    expect(await accessibilityProblems(page, { isSunlit: true, looksOnly: true }), look).toEqual(
      [],
    );
  }
  await page.emulateMedia({ colorScheme: null });
  if (size === null) return;
  await page.setViewportSize(size);
  // A press meets the page as it was: what moves under it takes no click. Phones zoom, too, and draw a frame later.
  await expect
    .poll(() => page.evaluate(() => [innerWidth, innerHeight, visualViewport?.scale]))
    .toEqual([size.width, size.height, 1]);
  await page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve())),
      ),
  );
}

/** Rules of a page for the dark scheme: none, when it always looks as by day. */
export function nightRules(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = (rules: CSSRuleList): string[] =>
      Array.from(rules).flatMap((rule) => [
        ...(rule instanceof CSSMediaRule && rule.conditionText.includes("prefers-color-scheme")
          ? [rule.cssText]
          : []),
        ...(rule instanceof CSSGroupingRule ? found(rule.cssRules) : []),
      ]);
    return Array.from(document.styleSheets).flatMap((sheet) => found(sheet.cssRules));
  });
}
