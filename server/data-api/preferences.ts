/** Preferences of a request about its answer. */
export type Preferences = {
  /** Body that a write answers; null where the request names none. */
  returned: "representation" | "minimal" | null;
  isCounted: boolean;
  /**
   * A column that a new row leaves out gets its default, also in a list where other rows name it.
   */
  isDefaulting: boolean;
  /** Resolution for a new row that exists already; null where that is refused. */
  resolution: "merge-duplicates" | "ignore-duplicates" | null;
  /** Most rows that a function may answer, so that what it did counts; null for any number. */
  mostRows: number | null;
};

/** How a transaction ends. */
const ENDING = /^tx=(commit|rollback)$/;

/** Counts that PostgreSQL's planner may estimate. */
const ESTIMATED = /^count=(planned|estimated)$/;

/**
 * The same as it is followed: without how a transaction ends, which the library claims to honour and does not; and counted
 * exactly, since an estimate reveals rows that policies hide.
 */
export function asFollowed(prefer: string): string {
  const tokens = prefer.split(",").map((token) => token.trim());
  return tokens
    .filter((token) => !ENDING.test(token))
    .map((token) => (ESTIMATED.test(token) ? "count=exact" : token))
    .join(", ");
}

const MAX_AFFECTED = /^max-affected=(\d{1,9})$/;

/** Reads the preferences that are covered; null where there are others, or one of them twice. */
export function readPreferences(headers: Headers): Preferences | null {
  const tokens = (headers.get("prefer") ?? "").split(",").map((token) => token.trim());
  const known = tokens.filter((token) => token !== "");
  if (new Set(known.map((token) => token.split("=")[0])).size < known.length) return null;
  const preferences: Preferences = {
    returned: null,
    isCounted: false,
    isDefaulting: false,
    resolution: null,
    mostRows: null,
  };
  let isStrict = false;
  for (const token of known) {
    const most = MAX_AFFECTED.exec(token)?.[1];
    if (token === "count=exact") preferences.isCounted = true;
    else if (token === "return=representation") preferences.returned = "representation";
    else if (token === "return=minimal") preferences.returned = "minimal";
    else if (token === "missing=default") preferences.isDefaulting = true;
    else if (token === "resolution=merge-duplicates") preferences.resolution = "merge-duplicates";
    else if (token === "resolution=ignore-duplicates") preferences.resolution = "ignore-duplicates";
    else if (token === "handling=strict") isStrict = true;
    // Not followed, and not said to be: as PostgREST without the option for it.
    else if (ENDING.test(token)) continue;
    else if (most !== undefined) preferences.mostRows = Number(most);
    else return null;
  }
  // Each means something to the library without the other.
  return isStrict === (preferences.mostRows !== null) ? preferences : null;
}

/** The header that says which of them were followed. */
export function applied({
  returned,
  isCounted,
  isDefaulting,
  resolution,
  mostRows,
}: Preferences): Record<string, string> {
  const followed = [
    resolution && `resolution=${resolution}`,
    isDefaulting && "missing=default",
    returned && `return=${returned}`,
    isCounted && "count=exact",
    mostRows !== null && `handling=strict, max-affected=${mostRows}`,
  ].filter(Boolean);
  return followed.length > 0 ? { "preference-applied": followed.join(", ") } : {};
}
