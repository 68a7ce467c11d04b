import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { ROOT } from "../../server/root.ts";
import { loadBuiltWeb } from "../../server/web/built-web.ts";

it("makes phone pages again of a language whose renderer could not be read at first", async () => {
  const dist = fileURLToPath(new URL("dist", ROOT));
  const folder = await mkdtemp(join(tmpdir(), "tournavis-web-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "ssr"));
  const link = (name: string) => symlink(join(dist, name), join(folder, name));
  for (const name of ["web", "site", "ssr/assets", "ssr/site-server.js"]) await link(name);
  const web = await loadBuiltWeb(folder, null);
  const page = () => web.customer({ kind: "no-page" }, { path: "/c/a/nulle-part", language: "nl" });
  await expect(page()).rejects.toMatchObject({ code: "ERR_MODULE_NOT_FOUND" });
  await link("ssr/entry-server.nl.js");
  expect((await page()).body.identity.toString()).toContain('lang="nl"');
});
