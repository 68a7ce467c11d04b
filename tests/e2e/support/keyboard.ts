import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Actions of a person without a mouse. */

/** Presses Tab until a control has the focus; with Shift where it lies behind. */
export async function tabTo(
  page: Page,
  control: Locator,
  key: "Tab" | "Shift+Tab" = "Tab",
): Promise<void> {
  await control.waitFor();
  for (let presses = 0; presses < 40; presses += 1) {
    if (await hasFocus(control)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab never reaches ${control}.`);
}

function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((element) => element === document.activeElement);
}

/** Waits until the page itself has put the focus on a control. */
export async function waitForFocus(control: Locator): Promise<void> {
  await control.waitFor();
  await expect.poll(() => hasFocus(control)).toBe(true);
}

/** Whether the focused control shows where one is. */
export function showsFocus(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const shown = (element: Element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    };
    const element = document.activeElement;
    if (element === null) return false;
    return shown(element) || shown(element.closest("label") ?? element);
  });
}
