import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../server/root.ts";
import { Imports } from "./touched.ts";

/**
 * Each endpoint notes beside its handler which SQL functions it calls, by one form: their names differ where the
 * specification fixes the endpoint's.
 */

const FOLDER = "supabase/functions/";
const NOTE =
  /^\/\*\*(?: |\n \* )Endpoint `([\w-]+)`\. Its SQL: (none|`\w+`(?:(?:,\s+(?:\* )?| and )`\w+`)*)\.\s+\*\/$/m;
const CALL = /(?:select|from|perform)\s+(?:public|private)\.(\w+)\s*\(/g;

const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
const imports = new Imports(read);
const endpoints = readdirSync(new URL(FOLDER, ROOT), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "_shared")
  .map((entry) => entry.name);

/** SQL functions that an endpoint's code calls, as far as it imports it. */
function calledBy(name: string): string[] {
  const files = imports.reachedFrom([`${FOLDER}${name}/index.ts`], (file) => file.endsWith(".ts"));
  const code = [...files].filter((file) => file.endsWith(".ts")).map(read);
  return [...new Set(code.flatMap((text) => [...text.matchAll(CALL)].map(([, sql = ""]) => sql)))];
}

describe.each(endpoints)("endpoint %s", (name) => {
  const found = NOTE.exec(read(`${FOLDER}${name}/index.ts`));

  it("notes its own name and the SQL functions that it calls", () => {
    const noted = [...(found?.[2] ?? "").matchAll(/`(\w+)`/g)].map(([, sql]) => sql);
    expect({ name: found?.[1], sql: noted.sort() }).toEqual({ name, sql: calledBy(name).sort() });
  });
});
