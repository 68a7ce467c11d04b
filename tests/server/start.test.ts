import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "./program.ts";

/** A project of one source, `server/main.ts`, whose build is as the test says. */
let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  await Promise.all(["server", "dist"].map((name) => mkdir(join(folder, name))));
  const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  await copyFile(here("server/start.js"), join(folder, "server", "start.js"));
  await symlink(here("node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(join(folder, "server", "main.ts"), "the source");
  await writeFile(join(folder, "dist", "server.js"), 'console.log("the old bundle");');
  await bundleOf("the source");
});

async function bundleOf(source: string) {
  const digest = createHash("sha256").update(source).digest("hex");
  const stamp = { web: "", server: { "server/main.ts": digest } };
  await writeFile(join(folder, "dist", "stamp.json"), JSON.stringify(stamp));
}

const buildWith = (code: string) => writeFile(join(folder, "server", "build.ts"), code);

function start() {
  return new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, [join(folder, "server", "start.js")], (error, stdout) =>
      resolve({ code: error?.code ?? 0, output: stdout.trim() }),
    );
  });
}

describe("npm start", () => {
  it("runs the bundle of its sources without building", async () => {
    await buildWith('console.log("built");');
    expect(await start()).toEqual({ code: 0, output: "the old bundle" });
  });

  it("builds first when a source has changed", async () => {
    await buildWith(`
      import { writeFileSync } from "node:fs";
      writeFileSync("dist/server.js", 'console.log("the new bundle");');`);
    await writeFile(join(folder, "server", "main.ts"), "another source");
    expect(await start()).toEqual({ code: 0, output: "the new bundle" });
  });

  it("does not start when the build refuses", async () => {
    await buildWith("process.exit(3);");
    await bundleOf("a source of long ago");
    expect(await start()).toEqual({ code: 3, output: "" });
  });
});
