import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Plugin } from "vite";
import { z } from "zod";

const sources = z.record(z.string(), z.string());

/** Has the tests load instrumented code in place of some sources: a JSON file says which, by path from the root. */
export function instrumentedSources(file: string): Plugin {
  const codes = new Map(Object.entries(sources.parse(JSON.parse(readFileSync(file, "utf8")))));
  return {
    name: "instrumented-sources",
    enforce: "pre",
    load: (id) => codes.get(relative(process.cwd(), id.replace(/\?.*$/, ""))) ?? null,
  };
}
