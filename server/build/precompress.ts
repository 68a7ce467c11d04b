import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeWell } from "../http/encoding.ts";

/** File types worth compressing; pictures and fonts are compressed already. */
const COMPRESSIBLE = /\.(css|html|js|json|map|svg|txt|wasm|webmanifest)$/;

/** Below this a packet holds the file as it is. */
const WORTH_BYTES = 1024;

/** Writes a `.br` and a `.gz` beside every file of a build that gains from it, as small as can be. */
export async function precompress(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  await Promise.all(
    entries
      .filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name))
      .map(async (entry) => {
        const file = join(entry.parentPath, entry.name);
        const content = await readFile(file);
        if (content.length < WORTH_BYTES) return;
        const { br, gzip } = await encodeWell(content);
        if (br) await writeFile(`${file}.br`, br);
        if (gzip) await writeFile(`${file}.gz`, gzip);
      }),
  );
}
