function leftOut(): never {
  throw new Error("Endless lists are left out of the application: see vite.config.ts.");
}

/** Stand in for the part of `@tanstack/query-core` that grows a list page by page: ours turn pages. */
export const infiniteQueryBehavior = leftOut;
export const hasNextPage = leftOut;
export const hasPreviousPage = leftOut;
