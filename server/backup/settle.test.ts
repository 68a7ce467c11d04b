import { link, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { settle } from "./settle.ts";

/** A backup that is written, but has no name yet. */
async function written() {
  const folder = await mkdtemp(join(tmpdir(), "tournavis-settle-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const unfinished = join(folder, "a.zip.41.partial");
  await writeFile(unfinished, "tout");
  return { folder, unfinished, file: join(folder, "a.zip") };
}

/** A step of the disk that fails with a code. */
function failing(code: string): () => Promise<void> {
  return () => Promise.reject(Object.assign(new Error(code), { code }));
}

it("gives a whole file its name", async () => {
  const { unfinished, file } = await written();
  expect(await settle(unfinished, file)).toEqual({ size: 4 });
  expect(await readFile(file, "utf8")).toBe("tout");
});

it("leaves nothing under the name where its last step never happened", async () => {
  const { folder, unfinished, file } = await written();
  const broken = { link: failing("EIO"), rename: failing("EIO") };
  await expect(settle(unfinished, file, broken)).rejects.toMatchObject({ code: "EIO" });
  expect(await readdir(folder)).toEqual(["a.zip.41.partial"]);
});

it.each(["a disk with hard links", "a disk without"])(
  "takes no name of another, on %s",
  async (disk) => {
    const { unfinished, file } = await written();
    await writeFile(file, "d'un autre");
    const steps = disk.endsWith("without") ? { link: failing("EPERM"), rename } : { link, rename };
    await expect(settle(unfinished, file, steps)).rejects.toMatchObject({ code: "EEXIST" });
    expect(await readFile(file, "utf8")).toBe("d'un autre");
  },
);

it.each(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])(
  "renames on a disk that answers %s to a hard link",
  async (code) => {
    const { folder, unfinished, file } = await written();
    expect(await settle(unfinished, file, { link: failing(code), rename })).toEqual({ size: 4 });
    expect(await readdir(folder)).toEqual(["a.zip"]);
  },
);
