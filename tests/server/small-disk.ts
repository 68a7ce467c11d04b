import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { onTestFinished } from "vitest";
import { type Skip, skipAloud } from "../harness/skip-aloud.ts";
import { temporaryFolder } from "./program.ts";

/** A folder on a disk of its own, of a size such as « 20m »; its test is skipped where none can be mounted. */
export async function smallDisk(skip: Skip, size: string): Promise<string> {
  const disk = await temporaryFolder();
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", disk]);
  if (mounted.status !== 0) {
    skipAloud(skip, `a small disk cannot be mounted here: ${mounted.stderr ?? mounted.error}`);
  }
  onTestFinished(() => void spawnSync("umount", ["--lazy", disk]));
  chmodSync(disk, 0o711);
  return disk;
}
