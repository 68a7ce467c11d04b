import { readdir, readFile } from "node:fs/promises";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { StartupError } from "../start/startup-error.ts";

/** Line of a patch that names the file which the following lines change. */
const CHANGED_FILE = /^\+\+\+ b\/(?<path>.+)$/;

/**
 * Refuses to go on where the patches of `patches/` were not applied to `node_modules`, as after `npm ci --ignore-scripts`: an unpatched
 * database driver ends the process with the first connection that is lost in mid-write.
 *
 * @throws StartupError `driver_unpatched`
 */
export async function checkDriverPatch(root: URL): Promise<void> {
  const folder = new URL("patches/", root);
  const names = (await readdir(folder).catch(noneIfMissing)).filter((name) =>
    name.endsWith(".patch"),
  );
  const patches = await Promise.all(names.map((name) => readFile(new URL(name, folder), "utf8")));
  const checks = patches.flatMap(addedLines).map(async ({ path, lines }) => {
    const present = new Set((await readFile(new URL(path, root), "utf8")).split("\n"));
    if (!lines.every((line) => present.has(line))) {
      throw new StartupError("driver_unpatched", { file: path });
    }
  });
  await Promise.all(checks);
}

/** An installation without the folder has nothing to compare with. */
function noneIfMissing(error: unknown): string[] {
  if (errorCode(error) === "ENOENT") return [];
  throw error;
}

/** The lines that a patch adds, by file. */
function addedLines(patch: string): { path: string; lines: string[] }[] {
  const files: { path: string; lines: string[] }[] = [];
  for (const line of patch.split("\n")) {
    const path = CHANGED_FILE.exec(line)?.groups?.path;
    if (path !== undefined) files.push({ path, lines: [] });
    else if (line.startsWith("+")) files.at(-1)?.lines.push(line.slice(1));
  }
  return files;
}
