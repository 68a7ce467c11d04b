import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { ROOT } from "../../server/root.ts";
import { ensureMutantPages } from "./pages.ts";

function place() {
  const folder = mkdtempSync(join(tmpdir(), "tournavis-pages-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const sources = join(folder, "sources.json");
  const write = (code: string) => writeFileSync(sources, JSON.stringify({ "web/a.ts": code }));
  let builds = 0;
  const ensure = (fails = false) =>
    ensureMutantPages({
      ...{ root: fileURLToPath(ROOT), sources, folder: join(folder, "pages"), onStart: () => {} },
      build: async (_, to) => {
        builds += 1;
        mkdirSync(to);
        process.env.NODE_ENV = "production";
        if (fails) throw new Error("no build");
      },
    });
  return { write, ensure, builds: () => builds };
}

it("builds the pages once, and again when the mutants in them are others", async () => {
  const { write, ensure, builds } = place();
  const environment = process.env.NODE_ENV;
  write("1");
  await ensure();
  await ensure();
  expect(builds()).toBe(1);
  write("2");
  await ensure();
  expect(builds()).toBe(2);
  expect(process.env.NODE_ENV).toBe(environment);
});

it("takes nothing for built that has failed", async () => {
  const { write, ensure, builds } = place();
  const environment = process.env.NODE_ENV;
  write("1");
  await expect(ensure(true)).rejects.toThrow("no build");
  await ensure();
  expect(builds()).toBe(2);
  expect(process.env.NODE_ENV).toBe(environment);
});
