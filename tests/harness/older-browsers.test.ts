import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/**
 * Phones that get no newer browser still open the pages (design, section 6): what theirs lacks is no part of the sources. The
 * types do not know of browsers, and the build adds nothing that is missing.
 */

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Missing in Safari 16 (iPhones 8 and X) or in Chrome 119 (Android 7). */
const OF_2024 =
  /\bURL\.(?:canParse|parse)\(|\.checkVisibility\(|\b(?:Object|Map)\.groupBy\(|Promise\.(?:withResolvers|try)\(|AbortSignal\.any\(|Array\.fromAsync\(|\.(?:isWellFormed|toWellFormed)\(|\.values\(\)\.(?:map|filter|some|find)\(|\.(?:isSubsetOf|isSupersetOf|isDisjointFrom)\(/;

/** Missing in Safari 15 (iPhones 6s and 7) besides. A script with such an expression is not even begun. */
const OF_2023 =
  /\.(?:toSorted|toReversed|toSpliced)\(|\bAbortSignal\.timeout\(|\(\?<[=!]|\bstatic \{/;

/** Files whose words are never read by a phone. */
const BUILD_ONLY = new Set(["supabase/functions/_shared/domain/text/typeset.ts"]);

async function breaches(folder: string, pattern: RegExp): Promise<string[]> {
  const entries = await readdir(root + folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$|\.js$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length))
    .filter((file) => !BUILD_ONLY.has(file));
  const found: string[] = [];
  for (const file of files) {
    const [breach] = pattern.exec(await readFile(root + file, "utf8")) ?? [];
    if (breach) found.push(`${file}: ${breach}`);
  }
  return found;
}

/** Missing in any browser on plain HTTP (`npm start -- --lan`). */
const SECURE_ONLY = /\bcrypto\.randomUUID\(/;

/** Text of an example, which nobody runs here. */
const EXAMPLE = "web/features/api-docs/api-docs.copy.ts: crypto.randomUUID(";

it("no page asks for an identifier that browsers give over HTTPS alone", async () => {
  expect(await breaches("web", SECURE_ONLY)).toEqual([EXAMPLE]);
  expect(await breaches("supabase/functions/_shared/domain", SECURE_ONLY)).toEqual([]);
});

it("no page asks for what browsers of early 2023 lack", async () => {
  expect(await breaches("web", OF_2024)).toEqual([]);
  expect(await breaches("supabase/functions/_shared/domain", OF_2024)).toEqual([]);
});

it("no phone page asks for what browsers of 2022 lack", async () => {
  for (const folder of ["web/customer", "web/ui", "supabase/functions/_shared/domain"]) {
    expect(await breaches(folder, OF_2023)).toEqual([]);
  }
});
