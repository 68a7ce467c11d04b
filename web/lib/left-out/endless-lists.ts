function leftOut(): never {
  throw new Error("Endless lists are left out of the application: see vite.config.ts.");
}

/** Replacement for the infinite queries of `@tanstack/query-core`, which are not used: our lists have pages. */
export const infiniteQueryBehavior = leftOut;
export const hasNextPage = leftOut;
export const hasPreviousPage = leftOut;
