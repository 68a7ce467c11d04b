import { timezoneLabel } from "#domain/text/timezone-label.ts";
import { NEAR_TIMEZONES } from "../../../lib/near-timezones.ts";

/** Every time zone that the browser knows, besides those, with the present one whatever it is; by their French names. */
export function otherTimezones(present: string): { name: string; label: string }[] {
  const near: readonly string[] = NEAR_TIMEZONES;
  const all = new Set([...Intl.supportedValuesOf("timeZone"), present]);
  return [...all]
    .filter((name) => !near.includes(name))
    .map((name) => ({ name, label: timezoneLabel(name) }))
    .sort((one, other) => one.label.localeCompare(other.label, "fr"));
}
