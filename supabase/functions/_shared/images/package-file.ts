import { readFile } from "node:fs/promises";

/** Address of a file of an npm package, by its path from one of the package's modules. */
export function packageFile(module: string, path: string): URL {
  return new URL(path, import.meta.resolve(module));
}

/** Reads a file of an npm package. A deployed function has the files themselves in the place of this module. */
export async function readPackageFile(
  module: string,
  path: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(packageFile(module, path)));
}
