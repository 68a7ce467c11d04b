import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/**
 * No test answers in place of our own server: what it never says would be tested, and what it does say would not. Its
 * failures are brought about in itself (`tests/e2e/support/faults.ts`) or on the line (`tests/e2e/support/network.ts`,
 * which cuts, holds and loses, and answers nothing).
 */

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Ways in which a test can put an answer, or code, in the place of the real one. */
const WAYS = [
  /\.fulfill\(/,
  /\banswerForOtherSite\(/,
  /\banswering:/,
  /stubGlobal\(\s*"fetch"/,
  /spyOn\([^)]*"fetch"/,
  /globalThis\.fetch =/,
  /\bvi\.mock\(/,
  /routeFromHAR\(/,
];

/** Files that stand in for a server all the same, and why it is not our server's answer. */
const REASONS: Readonly<Record<string, string>> = {
  "tests/harness/browser.ts":
    "the one place that answers, and refuses to for any host of this machine: an empty page of another site",
  "tests/e2e/five-stars.test.ts": "the public reviews page, of another site, is empty",
  "tests/e2e/four-stars.deep.test.ts": "the public reviews page, of another site, is empty",
  "tests/e2e/captcha.deep.test.ts":
    "the script of the captcha's provider, which cannot be reached from a test",
  "tests/e2e/missing-part.deep.test.ts":
    "the server's own page and script, as an older release named them: a second release would need a second build",
  "tests/conformance/google.test.ts": "looks on while the real service answers",
  "web/lib/supabase.test.ts": "loses the request: nothing answers",
  "web/customer/api.test.ts":
    "a network that never answers, garbles, or brings what the server's own functions have made",
  "web/customer/wheel/ending.test.ts": "the scene of a win, which moves things of a browser",
  "web/customer/testing/page-stubs.ts":
    "a network that never answers, is lost, or brings what the server's own functions have made",
};

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(`${root}${folder}`, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length));
}

it("no test answers in place of the server under test", async () => {
  const files = [
    ...(await sources("tests")),
    ...(await sources("bench")),
    ...(await sources("web")).filter((file) => /\.test\.tsx?$|\/testing\//.test(file)),
    ...(await sources("server")).filter((file) => file.endsWith(".test.ts")),
    ...(await sources("supabase/functions")).filter((file) => file.endsWith(".test.ts")),
  ];
  const found: string[] = [];
  for (const file of files) {
    const text = await readFile(root + file, "utf8");
    if (WAYS.some((way) => way.test(text))) found.push(file);
  }
  expect(found.sort()).toEqual(Object.keys(REASONS).sort());
});
