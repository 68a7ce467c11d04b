import { createHash } from "node:crypto";

/** Contents of a page's `<style>` and `<script>` elements, each allowed by its hash alone. */
export type InlineHashes = { styles: readonly string[]; scripts: readonly string[] };

const STYLE = /<style>([\s\S]*?)<\/style>/g;

/** Scripts that run: those with an address are allowed by it, those with a type are data. */
const SCRIPT = /<script(?: data-[a-z]+="[^"]*")*>([\s\S]*?)<\/script>/g;

/**
 * Sources of the content security policy for what a page's template holds. Asked of templates alone, as the build has
 * made them: what is filled in later must never be allowed by this.
 */
export function hashesOf(template: string): InlineHashes {
  const hash = ([, text = ""]: RegExpExecArray) =>
    `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const all = (pattern: RegExp) => [...new Set(Array.from(template.matchAll(pattern), hash))];
  return { styles: all(STYLE), scripts: all(SCRIPT) };
}
