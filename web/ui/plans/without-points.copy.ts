/** The rate of redemption of wins that have a code. */
export const withoutPointsCopy = {
  text: (share: string) => `Sans les gains en points : ${share}`,
} as const;
