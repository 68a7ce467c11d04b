/** Cents of an amount in euros, rounded; nothing has no sign, so that no page writes « -0 € ». */
export function inCents(euros: number): number {
  return Math.round(euros * 100) || 0;
}
