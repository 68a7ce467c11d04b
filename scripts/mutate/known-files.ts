import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { ROOT } from "../../server/root.ts";
import type { FileRecord } from "./session.ts";
import type { Instrumented } from "./typescript-mutants.ts";

/** Record of each test file's run without a mutant, by name, and of the text that it had. */
const files = z.record(
  z.string(),
  z.object({
    hash: z.string(),
    ms: z.number(),
    called: z.record(z.string(), z.number()).nullable(),
    /** Mutants that the file ran past: by source, and there by their place in the source. */
    met: z.record(z.string(), z.array(z.number())).default({}),
  }),
);

type Stored = z.infer<typeof files>[string];

const SCHEMAS = "supabase/schemas/";

function textOf(store: URL): string {
  try {
    return readFileSync(store, "utf8");
  } catch {
    return "{}";
  }
}

/**
 * Records of the test files that have not changed, and the function that stores new ones. Without
 * instrumented code a file is known while no schema changes. With it, a file is known while none of
 * the sources changes in which it ran past a mutant.
 */
export function knownFiles(
  store: URL,
  instrumented: readonly Instrumented[],
  root: URL = ROOT,
): {
  known: Readonly<Record<string, FileRecord>>;
  learn: (file: string, one: FileRecord) => void;
} {
  const schemas =
    instrumented.length > 0
      ? []
      : readdirSync(new URL(SCHEMAS, root))
          .toSorted()
          .map((name) => SCHEMAS + name);
  const hashOf = (file: string, met: Stored["met"]) =>
    [...schemas, ...Object.keys(met).toSorted(), file]
      .reduce((hash, name) => hash.update(readFileSync(new URL(name, root))), createHash("sha256"))
      .digest("base64url");
  const isSame = ([file, { hash, met }]: [string, Stored]) => {
    try {
      return hash === hashOf(file, met);
    } catch {
      return false;
    }
  };
  const stored = Object.fromEntries(
    Object.entries(files.catch({}).parse(JSON.parse(textOf(store)))).filter(isSame),
  );
  const ids = new Map(instrumented.map((source) => [source.file, source.ids]));
  const idsOf = (met: Stored["met"]) =>
    Object.entries(met).flatMap(([source, places]) =>
      places.flatMap((place) => ids.get(source)?.[place] ?? []),
    );
  const placesOf = (met: ReadonlySet<string>): Stored["met"] =>
    Object.fromEntries(
      [...ids]
        .map(([source, all]) => [source, all.flatMap((id, at) => (met.has(id) ? at : []))] as const)
        .filter(([, places]) => places.length > 0),
    );
  return {
    known: Object.fromEntries(
      Object.entries(stored).map(([file, { ms, called, met }]) => [
        file,
        { ms, called, met: new Set(idsOf(met)) },
      ]),
    ),
    learn(file, { ms, called, met: passed }) {
      const met = placesOf(passed);
      stored[file] = { hash: hashOf(file, met), ms: Math.round(ms), called, met };
      writeFileSync(store, `${JSON.stringify(stored)}\n`);
    },
  };
}
