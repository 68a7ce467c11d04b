import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { buildPages, fingerprint } from "../../server/build/ensure-built.ts";
import { readStamp, writeStamp } from "../../server/build/stamp.ts";
import { instrumentedSources } from "./plugin.ts";

/**
 * Builds the pages with instrumented code in place of some sources (`instrumentedSources`) into a folder, unless they
 * are there and nothing has changed since.
 */
export async function ensureMutantPages(options: {
  root: string;
  sources: string;
  folder: string;
  onStart: () => void;
  build?: typeof buildPages;
}): Promise<void> {
  const { root, sources, folder, onStart, build = buildPages } = options;
  const web = createHash("sha256")
    .update(await fingerprint(root))
    .update(await readFile(sources))
    .digest("hex");
  if ((await readStamp(folder))?.web === web) return;
  onStart();
  const environment = process.env.NODE_ENV;
  await rm(folder, { recursive: true, force: true });
  try {
    await build(root, folder, [instrumentedSources(sources)]);
  } finally {
    // The build's own would reach the tests.
    process.env.NODE_ENV = environment;
  }
  await writeStamp(folder, { web, server: null });
}
