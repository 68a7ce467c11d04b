import { describe, expect, it } from "vitest";
import { timezoneLabel } from "#domain/text/timezone-label.ts";
import { NEAR_TIMEZONES } from "../../../lib/near-timezones.ts";
import { otherTimezones } from "./timezones.ts";

describe("time zones by their French names", () => {
  it.each([
    ["Europe/Paris", "France (heure d’Europe centrale)"],
    ["America/Martinique", "Martinique (heure normale de l’Atlantique)"],
    ["Indian/Reunion", "La Réunion"],
    ["Pacific/Noumea", "Nouvelle-Calédonie"],
    ["Europe/London", "Royaume-Uni"],
    ["Mars/Olympus", "Mars/Olympus"],
  ])("%s is %s", (name, label) => {
    expect(timezoneLabel(name)).toBe(label);
  });

  it("lists each zone once, under a name of its own, with the present one", () => {
    const others = otherTimezones("Mars/Olympus");
    const labels = [...NEAR_TIMEZONES.map(timezoneLabel), ...others.map(({ label }) => label)];
    expect(new Set(labels).size).toBe(labels.length);
    expect(others.map(({ name }) => name)).toContain("Mars/Olympus");
    expect(others.map(({ label }) => label)).toContain("Viêt Nam (heure d’Indochine)");
  });
});
