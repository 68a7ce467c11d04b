import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { withLock } from "../../server/build/build-lock.ts";
import { precompress } from "../../server/build/precompress.ts";
import { temporaryFolder } from "./program.ts";

describe("withLock", () => {
  it("lets one work at a time", async () => {
    const folder = await temporaryFolder();
    const events: string[] = [];
    await Promise.all(
      ["a", "b", "c"].map((name) =>
        withLock(folder, "build", async () => {
          events.push(`${name} in`);
          await readdir(folder);
          events.push(`${name} out`);
        }),
      ),
    );
    const order = events.filter((_, index) => index % 2 === 0).map((event) => event[0]);
    expect(events).toEqual(order.flatMap((name) => [`${name} in`, `${name} out`]));
  });

  it("takes the lock of a process that died, also when its number lives on", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "build.lock"), `${process.pid}@1`);
    expect(await withLock(folder, "build", async () => "done")).toBe("done");
    expect(await readdir(folder)).toEqual([]);
  });

  it("gives the lock back when the work fails", async () => {
    const folder = await temporaryFolder();
    const failing = withLock(folder, "build", async () => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("precompress", () => {
  it("writes what gains from it beside the file, and nothing else", async () => {
    const folder = await temporaryFolder();
    const text = "Votre avis compte. ".repeat(200);
    await writeFile(join(folder, "long.js"), text);
    await writeFile(join(folder, "short.js"), "1");
    await writeFile(join(folder, "picture.webp"), text);
    await precompress(folder);
    expect((await readdir(folder)).sort()).toEqual(
      ["long.js", "long.js.br", "long.js.gz", "picture.webp", "short.js"].sort(),
    );
    const br = await readFile(join(folder, "long.js.br"));
    const gz = await readFile(join(folder, "long.js.gz"));
    expect(brotliDecompressSync(br).toString()).toBe(text);
    expect(gunzipSync(gz).toString()).toBe(text);
  });
});
