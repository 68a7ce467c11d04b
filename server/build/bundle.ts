import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { build, Rolldown } from "vite";
import { readStamp, writeStamp } from "./stamp.ts";

/**
 * The server as one file, `dist/server.js`; the build's stamp says what it was made of, and `server/start.js` takes it
 * for as long as that is unchanged. Starting from two hundred sources costs a second of processor more.
 */
export async function bundleServer(root: string): Promise<void> {
  const dist = join(root, "dist");
  // Only here: a server that starts needs no building tools.
  const { build: buildWith } = await import("vite");
  const made = await buildWith({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      ssr: join(root, "server", "main.ts"),
      write: false,
      target: "node20",
      sourcemap: true,
      rolldownOptions: {
        output: {
          entryFileNames: "server.js",
          codeSplitting: false,
          // The sources lie beside it; each start reads the map.
          sourcemapExcludeSources: true,
        },
      },
    },
  });
  const { code, map, moduleIds } = onlyChunk(made);
  const unfinished = (name: string) => join(dist, `${process.pid}-${name}`);
  const stamp = await readStamp(dist);
  if (stamp === null) throw new Error("The server is bundled after the pages were built.");
  const server = await digests(root, moduleIds);
  await writeFile(unfinished("server.js"), `${code}\n//# sourceMappingURL=server.js.map\n`);
  await writeFile(unfinished("server.js.map"), map);
  // The digests go first and come last: who finds them finds the bundle that they belong to.
  await writeStamp(dist, { ...stamp, server: null });
  await rename(unfinished("server.js.map"), join(dist, "server.js.map"));
  await rename(unfinished("server.js"), join(dist, "server.js"));
  await writeStamp(dist, { ...stamp, server });
}

function onlyChunk(made: Awaited<ReturnType<typeof build>>): {
  code: string;
  map: string;
  moduleIds: readonly string[];
} {
  const chunks: Rolldown.OutputChunk[] = [];
  for (const bundle of Array.isArray(made) ? made : [made]) {
    if (!("output" in bundle)) continue;
    for (const part of bundle.output) if (part.type === "chunk") chunks.push(part);
  }
  const [chunk] = chunks;
  if (!chunk || chunks.length > 1) throw new Error(`The server became ${chunks.length} files.`);
  return { code: chunk.code, map: chunk.map?.toString() ?? "", moduleIds: chunk.moduleIds };
}

/** The digest of each source by its path from the root, as `server/start.js` compares them. */
async function digests(root: string, files: readonly string[]): Promise<Record<string, string>> {
  const entries = files
    .filter((file) => file.startsWith(root))
    .map(async (file) => {
      const digest = createHash("sha256").update(await readFile(file));
      return [relative(root, file), digest.digest("hex")] as const;
    });
  return Object.fromEntries(await Promise.all(entries));
}
