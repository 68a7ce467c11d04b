/** What a request prefers of its answer. */
export type Preferences = {
  /** What a write answers; null where nothing is said of it. */
  returned: "representation" | "minimal" | null;
  isCounted: boolean;
};

/** Reads the preferences that are covered; null where there are others, or one of them twice. */
export function readPreferences(headers: Headers): Preferences | null {
  const tokens = (headers.get("prefer") ?? "").split(",").map((token) => token.trim());
  const known = tokens.filter((token) => token !== "");
  const preferences: Preferences = { returned: null, isCounted: false };
  if (new Set(known.map((token) => token.split("=")[0])).size < known.length) return null;
  for (const token of known) {
    if (token === "count=exact") preferences.isCounted = true;
    else if (token === "return=representation") preferences.returned = "representation";
    else if (token === "return=minimal") preferences.returned = "minimal";
    else return null;
  }
  return preferences;
}

/** The header that says which of them were followed. */
export function applied({ returned, isCounted }: Preferences): Record<string, string> {
  const followed = [returned && `return=${returned}`, isCounted && "count=exact"].filter(Boolean);
  return followed.length > 0 ? { "preference-applied": followed.join(", ") } : {};
}
