/**
 * How long browsers keep what the page about cookies names; a test compares them with the code that keeps it
 * (`tests/server/kept-times.test.ts`), which the page must not load.
 */
export const PRIVACY_DAYS = {
  linkingMinutes: 10,
  language: 365,
  device: 395,
  journeyHours: 12,
  played: 366,
  prizeAfterlife: 7,
  endlessPrize: 90,
} as const;
