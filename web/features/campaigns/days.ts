/** First instant of a day as a date field gives it (`2026-12-24`), where the browser is; null of none. */
export function dayStart(day: string): string | null {
  return day ? new Date(`${day}T00:00:00`).toISOString() : null;
}

/** Last second of a day, where the browser is: a campaign runs through its last day. */
export function dayEnd(day: string): string | null {
  return day ? new Date(`${day}T23:59:59`).toISOString() : null;
}
