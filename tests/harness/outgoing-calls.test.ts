import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** Every request that the product sends ends by itself: `fetch` alone waits for as long as the other side is silent. */

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Files that wait without an end all the same, and why nobody waits for that. */
const REASONS: Readonly<Record<string, string>> = {
  "web/customer/keep/keep-offline.ts": "puts away what opens later; the page is there",
  "web/customer/parts/renew-page.ts":
    "looks whether there is a new release, beside the sentence that is shown",
  "web/customer/rules/fetch-rules.ts": "a page that is loading, which the browser can stop",
  "web/lib/missing-parts.ts":
    "looks whether there is a new release, beside the error that is shown",
  "web/site/later.ts": "sections that come when they are near",
};

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(`${root}${folder}`, { recursive: true, withFileTypes: true });
  return entries
    .filter(({ name }) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(root.length));
}

/** The arguments of each call of `fetch` itself in a source. */
function calls(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  return [...code.matchAll(/(?<![\w.`])fetch\(/g)].flatMap(({ index, 0: { length } }) => {
    // A method of that name.
    if (/(async|function)\s*$/.test(code.slice(0, index))) return [];
    let depth = 1;
    let end = index + length;
    for (; depth > 0 && end < code.length; end += 1) {
      if (code[end] === "(") depth += 1;
      if (code[end] === ")") depth -= 1;
    }
    return /^\)\s*:/.test(code.slice(end - 1)) ? [] : [code.slice(index + length, end - 1)];
  });
}

it("no call of fetch waits for ever", async () => {
  const files = (await Promise.all(["server", "supabase/functions", "web"].map(sources))).flat();
  const endless: string[] = [];
  let total = 0;
  for (const file of files) {
    const found = calls(await readFile(`${root}${file}`, "utf8"));
    total += found.length;
    if (found.some((call) => !/\bsignal\b/.test(call))) endless.push(file);
  }
  expect(total).toBeGreaterThan(10);
  expect(endless.sort()).toEqual(Object.keys(REASONS).sort());
});
