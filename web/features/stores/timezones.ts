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

/** A time zone's name in French, in the form that is asked for; none where the browser does not know the zone. */
function nameOf(
  timeZone: string,
  timeZoneName: "shortGeneric" | "longGeneric",
): string | undefined {
  try {
    return new Intl.DateTimeFormat("fr-FR", { timeZone, timeZoneName })
      .formatToParts()
      .find(({ type }) => type === "timeZoneName")?.value;
  } catch {
    return undefined;
  }
}

/** « France (heure d’Europe centrale) », « La Réunion »: the place, and the name of its hour where that says more. */
export function timezoneLabel(timeZone: string): string {
  const place = nameOf(timeZone, "shortGeneric")?.replace(/^heure\s*:\s*/u, "");
  const hour = nameOf(timeZone, "longGeneric");
  if (place === undefined || hour === undefined) return timeZone;
  const saysMore = hour.startsWith("heure") && !hour.includes(place);
  return saysMore ? `${place} (${hour})` : place;
}

/** Every time zone that the browser knows, besides those, with the present one whatever it is; by their French names. */
export function otherTimezones(present: string): { name: string; label: string }[] {
  const near: readonly string[] = NEAR_TIMEZONES;
  const all = new Set([...Intl.supportedValuesOf("timeZone"), present]);
  return [...all]
    .filter((name) => !near.includes(name))
    .map((name) => ({ name, label: timezoneLabel(name) }))
    .sort((one, other) => one.label.localeCompare(other.label, "fr"));
}
