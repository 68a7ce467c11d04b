/** Colours of winning segments, in turn, and of losing ones (specification, section 9). */
const WINNING = ["#8B5CF6", "#10B981", "#F59E0B", "#EF4444", "#06B6D4", "#EC4899"] as const;
export const LOSING_COLOR = "#6B7280";

/** The first colour of the cycle that a wheel uses least. */
export function nextColor(used: readonly string[]): string {
  const times = (color: string) =>
    used.filter((one) => one.toUpperCase() === color.toUpperCase()).length;
  return [...WINNING].sort((one, other) => times(one) - times(other))[0] ?? WINNING[0];
}
