import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readBackupState } from "./backup-state.ts";
import { makeBackup, removeOldBackups } from "./make-backup.ts";

/** Files of a folder once old backups were removed from it, on 20 March. */
async function kept(...names: string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "tournavis-backups-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of names) await writeFile(join(folder, name), "");
  await removeOldBackups(folder, 7, new Date("2026-03-20T03:00:00Z"));
  return (await readdir(folder)).sort();
}

const daily = (day: string) => `tournavis-daily-2026-03-${day}T030000Z.zip`;

it("removes daily backups after their days, but never the newest", async () => {
  expect(await kept(daily("10"), daily("12"), daily("19"), "autre.zip")).toEqual([
    "autre.zip",
    daily("19"),
  ]);
  expect(await kept(daily("01"))).toEqual([daily("01")]);
});

it("keeps the three newest backups from before an update, however old", async () => {
  const update = (day: string) => `tournavis-before-migration-2026-01-${day}T030000Z.zip`;
  const days = ["05", "06", "07", "08"];
  expect(await kept(...days.map(update), "tournavis-before-migration-2026-01-04.zip")).toEqual([
    "tournavis-before-migration-2026-01-04.zip",
    ...days.slice(1).map(update),
  ]);
  expect(await kept(update("05"))).toEqual([update("05")]);
});

it("removes what a killed process left unfinished, once it is a day old", async () => {
  const manual = "tournavis-manual-2026-03-18T100000Z.zip";
  const [old, older] = [`${daily("18")}.41.partial`, `${manual}.42.partial`];
  const young = `${daily("20")}.43.partial`;
  expect(await kept(old, older, young, manual, "autre.zip.44.partial")).toEqual([
    "autre.zip.44.partial",
    young,
    manual,
  ]);
});

it("refuses a name that a file has, which is no attempt that failed", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "tournavis-taken-"));
  onTestFinished(() => rm(dataFolder, { recursive: true }));
  const file = join(dataFolder, "taken.zip");
  await writeFile(file, "d'avant");
  const making = makeBackup({
    kind: "manual",
    // Nobody is asked.
    adminUrl: "postgres://127.0.0.1:9/aucune",
    dataFolder,
    to: { file },
    passphrase: "une phrase de passe d'essai",
    now: () => new Date(0),
  });
  await expect(making).rejects.toMatchObject({ code: "backup_exists" });
  expect(await readBackupState(dataFolder)).toBeNull();
  expect(await readFile(file, "utf8")).toBe("d'avant");
});
