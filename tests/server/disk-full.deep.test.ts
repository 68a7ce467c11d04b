import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { newAddress, playOf } from "../database/support/calls.ts";
import { skipAloud } from "../harness/skip-aloud.ts";
import { openAdmin, says, start, temporaryFolder } from "./program.ts";

/** Fills what is left of a disk, to the last block. */
function fill(file: string): void {
  const handle = openSync(file, "w");
  try {
    for (const size of [65_536, 512]) {
      const block = Buffer.alloc(size);
      try {
        while (writeSync(handle, block) === size);
      } catch (error) {
        expect(error).toMatchObject({ code: "ENOSPC" });
      }
    }
  } finally {
    closeSync(handle);
  }
}

it("goes on reading while the disk is full, says so, and writes again when there is room", {
  timeout: 300_000,
}, async ({ skip }) => {
  const disk = await temporaryFolder();
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=400m", "tmpfs", disk]);
  if (mounted.status !== 0) {
    skipAloud(skip, `a small disk cannot be mounted here: ${mounted.stderr ?? mounted.error}`);
  }
  onTestFinished(() => void spawnSync("umount", ["--lazy", disk]));
  chmodSync(disk, 0o711);
  const folder = join(disk, "data");
  const program = await start(folder, []);
  const sql = await openAdmin(folder);
  const [campaign] = await sql<{ id: string }[]>`
    select id from public.campaigns where slug = 'demo'`;
  const spin = async () => {
    const response = await fetch(`${program.at}/functions/v1/spin_wheel`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": newAddress() },
      body: JSON.stringify(playOf(campaign ?? { id: "" })),
    });
    return response.status;
  };
  const get = async (path: string) => (await fetch(program.at + path)).status;
  expect(await spin()).toBe(200);

  fill(join(disk, "filler"));
  // PostgreSQL first uses up the space that it holds.
  let status = 200;
  while (status === 200) status = await spin();
  expect(status).toBe(503);
  const ready = await fetch(`${program.at}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([503, "database disk full\n"]);
  expect(await get("/functions/v1/campaign?slug=demo")).toBe(200);
  expect(await get("/c/demo/review")).toBe(200);

  rmSync(join(disk, "filler"));
  await says(program, "database_writes_again");
  expect(await spin()).toBe(200);
  expect(await get("/readyz")).toBe(200);
});
