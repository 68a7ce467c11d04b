import { createHash } from "node:crypto";

/** Styles and scripts that stand in a page; scripts with a type are data. */
const INLINE = /<(?:style|script(?: data-[a-z]+="[^"]*")*)>([\s\S]*?)<\/(?:style|script)>/g;

/** Sources that a content security policy needs for what stands in a page, sorted. */
export function inlineSources(html: string): string[] {
  const hash = ([, text = ""]: RegExpExecArray) =>
    `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return Array.from(html.matchAll(INLINE), hash).toSorted();
}

/** The hashes that a policy allows, sorted. */
export function allowedHashes(policy: string | null): string[] {
  return (policy?.match(/'sha256-[^']+'/g) ?? []).toSorted();
}
