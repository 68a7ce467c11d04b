/** Amounts of the column `stores.average_basket`: from a cent to below this, in euros. */
const TOO_MUCH = 100_000;

/** An amount as it was typed, « 24,50 »; null when nothing was, undefined when it is none. */
export function readBasket(typed: string): number | null | undefined {
  const text = typed.replaceAll(/[\s€]/g, "").replace(",", ".");
  if (text === "") return null;
  if (!/^\d{1,5}(\.\d{1,2})?$/.test(text)) return undefined;
  const amount = Number(text);
  return amount > 0 && amount < TOO_MUCH ? amount : undefined;
}

/** An amount as one types it. */
export function basketText(basket: number | null): string {
  if (basket === null) return "";
  return (Number.isInteger(basket) ? String(basket) : basket.toFixed(2)).replace(".", ",");
}
