import { readFile } from "node:fs/promises";

/**
 * Reads a file of an npm package, by its path from one of the package's modules. The module is one that is loaded: older versions
 * of Deno find no other.
 */
export async function readPackageFile(
  module: string,
  path: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(new URL(path, import.meta.resolve(module))));
}
