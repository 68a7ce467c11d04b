import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ROOT } from "../../server/root.ts";
import { newAddress, playOf } from "../database/support/calls.ts";
import { openAdmin, says, start, startProgram } from "./program.ts";
import { smallDisk } from "./small-disk.ts";

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
  const disk = await smallDisk(skip, "400m");
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

it("says in one line that a backup finds no room for a database, or for its rows", {
  timeout: 120_000,
}, async ({ skip }) => {
  const kept = fileURLToPath(new URL("supabase/releases/1.0.0.zip", ROOT));
  const disks = [
    ["20m", /^Impossible d'écrire [^\n]+\(ENOSPC\)[^\n]+\n$/],
    ["75m", /^Le disque de la base est plein[^\n]+\n$/],
  ] as const;
  for (const [size, sentence] of disks) {
    const folder = join(await smallDisk(skip, size), "data");
    const program = startProgram({
      argv: ["restore", kept],
      env: { TOURNAVIS_DATA: folder, BACKUP_PASSPHRASE: "tournavis-release" },
    });
    program.url.catch(() => undefined);
    expect((await program.ended).code).toBeGreaterThan(0);
    const complaint = program.complaint().replaceAll(/^\S+ : \d+ %\n/gm, "");
    expect(complaint).toMatch(sentence);
  }
});
