/** Where most of the shops are: listed first. */
export const NEAR_TIMEZONES = [
  "Europe/Paris",
  "Europe/Brussels",
  "Europe/Luxembourg",
  "Europe/Zurich",
  "Europe/Monaco",
  "America/Guadeloupe",
  "America/Martinique",
  "America/Cayenne",
  "America/Miquelon",
  "America/Toronto",
  "Indian/Reunion",
  "Indian/Mayotte",
  "Pacific/Noumea",
  "Pacific/Tahiti",
] as const;

/** Every time zone that the browser knows, besides those, with the present one whatever it is. */
export function otherTimezones(present: string): string[] {
  const near: readonly string[] = NEAR_TIMEZONES;
  const all = new Set([...Intl.supportedValuesOf("timeZone"), present]);
  return [...all].filter((name) => !near.includes(name)).sort();
}

/** « Paris », « Amerique/… » reads badly: the place alone, with what it belongs to after it. */
export function timezoneLabel(name: string): string {
  const [region = "", ...place] = name.replaceAll("_", " ").split("/");
  return place.length > 0 ? `${place.join(", ")} (${region})` : region;
}
