import { firstOfMonth } from "#domain/text/first-of-month.ts";

/** A moment in full, in the store's time zone: « lundi 5 janvier 2026 à 9 h 00 ». */
export function momentInFull(iso: string, timeZone: string): string {
  const date = new Date(iso);
  const day = new Intl.DateTimeFormat("fr-FR", { dateStyle: "full", timeZone }).format(date);
  const time = new Intl.DateTimeFormat("fr-FR", { hour: "numeric", minute: "2-digit", timeZone })
    .format(date)
    .replace(":", "\u00a0h\u00a0");
  return `${firstOfMonth(day)} à ${time}`;
}

/** A day: « 5 janvier 2026 ». */
export function dayInFull(iso: string, timeZone: string): string {
  const day = new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeZone });
  return firstOfMonth(day.format(new Date(iso)));
}

/** Odds, as « 33,33 % ». */
export function percent(value: number): string {
  return `${new Intl.NumberFormat("fr-FR", { maximumFractionDigits: 2 }).format(value)}\u00a0%`;
}

/** An amount in euros: « 2,50 € », « 12 € ». */
export function euros(amount: number): string {
  return new Intl.NumberFormat("fr-FR", {
    style: "currency",
    currency: "EUR",
    trailingZeroDisplay: "stripIfInteger",
  }).format(amount);
}

/** A number with its thousands apart. */
export function count(value: number): string {
  return new Intl.NumberFormat("fr-FR").format(value);
}
