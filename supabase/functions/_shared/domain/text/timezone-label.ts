import { locale } from "./locale.copy.ts";

/** A time zone's name in French, in the form that is asked for; none where the browser does not know the zone. */
function nameOf(
  timeZone: string,
  timeZoneName: "shortGeneric" | "longGeneric",
): string | undefined {
  try {
    return new Intl.DateTimeFormat(locale, { timeZone, timeZoneName })
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
