import type { Locator } from "playwright-core";

/** Count of a person's input so far: clicks, and fields that they filled in or chose from. */
type Counted = { clicks: number; fields: number };

/** Hands that count what they do. */
export function countingHands() {
  const counted: Counted = { clicks: 0, fields: 0 };
  return {
    counted,
    click: async (control: Locator) => {
      counted.clicks += 1;
      await control.click();
    },
    fill: async (control: Locator, text: string) => {
      counted.fields += 1;
      await control.fill(text);
    },
    choose: async (control: Locator, label: string) => {
      counted.fields += 1;
      await control.selectOption({ label });
    },
  };
}
