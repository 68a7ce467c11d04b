/** A number as it was typed, without the spaces between its digits and the unit at its end, its comma a point. */
export function bareNumber(text: string, unit: "€" | "%"): string {
  const bare = text.replaceAll(/\s/g, "").replace(",", ".");
  // In between, as in « 1€50 », it parts digits that are no one number.
  return bare.endsWith(unit) ? bare.slice(0, -1) : bare;
}

/** An amount in euros as it is typed, « 1,50 » or « 2 € », in cents: below 100,000 euros; null when invalid. */
export function readCents(typed: string): number | null {
  const text = bareNumber(typed, "€");
  return /^\d{1,5}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : null;
}

/** An amount in euros as one types it, « 1,50 »; empty without one. */
export function euroText(amount: number | null): string {
  if (amount === null) return "";
  return (Number.isInteger(amount) ? String(amount) : amount.toFixed(2)).replace(".", ",");
}
