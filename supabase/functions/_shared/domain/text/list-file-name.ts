import { listFileCopy } from "./list-file-name.copy.ts";
import { suggestSlug } from "./slugify.ts";

/** Name of an exported list: « codes-cafe-offert-2026-12-12.csv ». What it is of is left out where no letter of it is Latin. */
export function listFileName(type: keyof typeof listFileCopy, of: string, day: string): string {
  return `${[listFileCopy[type], suggestSlug(of), day].filter((part) => part !== "").join("-")}.csv`;
}
