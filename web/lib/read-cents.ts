/** An amount in euros as it is typed, « 1,50 » or « 2 € », in cents: below 100,000 euros; null when invalid. */
export function readCents(typed: string): number | null {
  const text = typed.replaceAll(/[\s€]/g, "").replace(",", ".");
  return /^\d{1,5}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : null;
}

/** An amount in euros as one types it, « 1,50 »; empty without one. */
export function euroText(amount: number | null): string {
  if (amount === null) return "";
  return (Number.isInteger(amount) ? String(amount) : amount.toFixed(2)).replace(".", ",");
}
