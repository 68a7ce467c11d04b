/** Outline of a five-pointed star in a square of 24. */
export const STAR =
  "M12 2.6l2.9 5.9 6.5.95-4.7 4.58 1.11 6.47L12 17.45 6.19 20.5l1.11-6.47L2.6 9.45 9.1 8.5Z";
