import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** File of a build that says what it was made of. `server/start.js`, which reads no TypeScript, names it too. */
const STAMP = "stamp.json";

const stamp = z.object({
  /** Digest of everything that the pages depend on. */
  web: z.string(),
  /** Digests of the server's sources by their paths from the root; null while there is no bundle of them. */
  server: z.nullable(z.record(z.string(), z.string())),
});
type Stamp = z.infer<typeof stamp>;

/** Stamp of a build's sources; null where there is no build, and where its stamp cannot be read. */
export async function readStamp(dist: string): Promise<Stamp | null> {
  try {
    return stamp.parse(JSON.parse(await readFile(join(dist, STAMP), "utf8")));
  } catch {
    return null;
  }
}

/** Records what a build was made of; atomically, so that readers find the old stamp or the new one. */
export async function writeStamp(dist: string, content: Stamp): Promise<void> {
  const unfinished = join(dist, `${process.pid}-${STAMP}`);
  await writeFile(unfinished, JSON.stringify(content));
  await rename(unfinished, join(dist, STAMP));
}
