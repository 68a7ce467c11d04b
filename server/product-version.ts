import { readFile } from "node:fs/promises";
import { z } from "zod";
import { ROOT } from "./root.ts";

const packageManifest = z.object({ version: z.string() });

/** Version of this code, as package.json says. */
export async function productVersion(): Promise<string> {
  const text = await readFile(new URL("package.json", ROOT), "utf8");
  return packageManifest.parse(JSON.parse(text)).version;
}

/** Whether one version comes after another. */
export function isLater(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) > 0;
}
