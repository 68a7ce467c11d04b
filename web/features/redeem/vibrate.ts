const YES = [40];
const NO = [60, 60, 60];

/** Lets the hand feel the answer, on phones that can: once for yes, twice for no. */
export function vibrate(isYes: boolean): void {
  if ("vibrate" in navigator) navigator.vibrate(isYes ? YES : NO);
}
