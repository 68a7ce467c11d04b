import { suggestSlug } from "./slugify.ts";

/** Name of an exported list: « codes-cafe-offert-2026-12-12.csv ». What it is of is left out where no letter of it is Latin. */
export function listFileName(list: string, of: string, day: string): string {
  return `${[list, suggestSlug(of), day].filter((part) => part !== "").join("-")}.csv`;
}
