import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Assets, Inline } from "../../web/site/document.ts";
import { ROOT } from "../root.ts";

/** When a page's script starts: once the page has been seen, or once the user does something with it. */
type Start = "seen" | "touched";

/** Assets that a page loads, without its fonts. */
type Fetched = Pick<Assets, "styles" | "script" | "preloads" | "takenOver">;

/** Reads what a page of a build holds in itself: its first paint waits for nothing else. */
export async function readInline(
  web: string,
  { styles, script, preloads, takenOver = [] }: Fetched,
  when: Start = "seen",
): Promise<Inline> {
  const [early, start, ...sheets] = await Promise.all([
    readScript(join(web, "early.js")),
    readScript(new URL("server/build/start-later.js", ROOT)),
    ...styles.map((href) => readFile(join(web, href), "utf8")),
  ]);
  const style = sheets.join("").trim();
  // Placeholders are filled wherever they occur, and an element ends at its first closing tag.
  if ([early, start, style].some((text) => /\{\{|<[/!]/.test(text))) {
    throw new Error("An inlined script or style has a placeholder or a tag in it.");
  }
  const named = [
    ["start", script],
    ["ahead", preloads.join(" ")],
    ["styles", takenOver.join(" ")],
    ["when", when],
  ];
  const data = named.map(([name, value]) => (value ? ` data-${name}="${value}"` : ""));
  const starter = `<script${data.join("")}>${start}</script>`;
  return { style, early, start: script && starter };
}

/** A script of our own in as few bytes as it takes: a page has to come in one go. */
async function readScript(file: string | URL): Promise<string> {
  // Only here: a server that starts needs no building tools.
  const { minify } = await import("vite");
  const { code, errors } = await minify("inline.js", await readFile(file, "utf8"), {
    module: false,
  });
  if (errors.length > 0) throw new Error(errors[0]?.message);
  return code.trim();
}
