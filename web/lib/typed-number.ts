import { bareNumber } from "./read-cents.ts";

/** A number as it was typed, in French too: « 1 000 », « 12,50 € », « 10 % »; NaN of what is none. */
export function typedNumber(text: string): number {
  return Number(bareNumber(bareNumber(text, "€"), "%"));
}

/** Whether a text, as it was typed, is a whole number within bounds. */
export function isWhole(text: string, min: number, max: number): boolean {
  const number = typedNumber(text);
  return /^-?\d+$/.test(text.replaceAll(/\s/g, "")) && number >= min && number <= max;
}

/** Whether a text, as it was typed, is an amount with two decimals at most: at least `min`, and less than `below`. */
export function isAmount(text: string, unit: "€" | "%", min: number, below: number): boolean {
  const bare = bareNumber(text, unit);
  return /^\d{1,6}(\.\d{1,2})?$/.test(bare) && Number(bare) >= min && Number(bare) < below;
}
