import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { ROOT } from "../../server/root.ts";
import type { Known } from "./session.ts";

/** What the test files of SQL have done without a mutant, by name, and with which text that was. */
const files = z.record(
  z.string(),
  z.object({
    hash: z.string(),
    ms: z.number(),
    called: z.record(z.string(), z.number()).nullable(),
  }),
);

const SCHEMAS = new URL("supabase/schemas/", ROOT);

/** Hash of a test and of the schema that it is about: with another one, what was known says nothing. */
function hasher(): (file: string) => string {
  const schemas = readdirSync(SCHEMAS)
    .toSorted()
    .map((name) => readFileSync(new URL(name, SCHEMAS)));
  return (file) =>
    [...schemas, readFileSync(new URL(file, ROOT))]
      .reduce((hash, text) => hash.update(text), createHash("sha256"))
      .digest("base64url");
}

function textOf(store: URL): string {
  try {
    return readFileSync(store, "utf8");
  } catch {
    return "{}";
  }
}

/** What is known of the test files that are as they were, and where to put down what is learnt. */
export function knownFiles(store: URL): {
  known: Readonly<Record<string, Known>>;
  learn: (file: string, one: Known) => void;
} {
  const hashOf = hasher();
  const isSame = ([file, { hash }]: [string, { hash: string }]) => {
    try {
      return hash === hashOf(file);
    } catch {
      return false;
    }
  };
  const stored = files.catch({}).parse(JSON.parse(textOf(store)));
  const known = Object.fromEntries(Object.entries(stored).filter(isSame));
  return {
    known,
    learn(file, { ms, called }) {
      known[file] = { hash: hashOf(file), ms: Math.round(ms), called };
      writeFileSync(store, `${JSON.stringify(known, null, 1)}\n`);
    },
  };
}
