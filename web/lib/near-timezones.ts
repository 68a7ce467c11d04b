/** Time zones of places where French is spoken: a store's settings list them first. */
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

/**
 * Time zone of this browser where it is one of those, else null: a browser that hides it says UTC, and one that travels
 * names a place where no store is.
 */
export function ownNearTimezone(): (typeof NEAR_TIMEZONES)[number] | null {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return NEAR_TIMEZONES.find((name) => name === own) ?? null;
}
