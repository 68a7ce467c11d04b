import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { processIdentity } from "../postgres/processes.ts";

const POLL_MS = 100;

/**
 * Runs work that only one process at a time may do. The lock is a file with the name of
 * its holder in it: when that process has died, the next one takes the lock away.
 */
export async function withLock<Result>(
  folder: string,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await mkdir(folder, { recursive: true });
  const lock = join(folder, `${name}.lock`);
  const own = join(folder, `${name}-${randomUUID()}`);
  const me = processIdentity(process.pid) ?? String(process.pid);
  await writeFile(own, me);
  try {
    while (!(await take(own, lock))) {
      const holder = await readFile(lock, "utf8").catch(() => null);
      if (holder !== null && isDead(holder)) await removeStale(lock, holder, `${own}-stale`);
      else await delay(POLL_MS);
    }
    try {
      return await work();
    } finally {
      await rm(lock, { force: true });
    }
  } finally {
    await rm(own, { force: true });
  }
}

/** A link appears with its content, or not at all. */
async function take(own: string, lock: string): Promise<boolean> {
  try {
    await link(own, lock);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Two may find the same dead holder: the slower one must not remove the lock of the faster. */
async function removeStale(lock: string, holder: string, aside: string): Promise<void> {
  const isMoved = await rename(lock, aside).then(
    () => true,
    () => false,
  );
  if (!isMoved) return;
  if ((await readFile(aside, "utf8")) !== holder) await link(aside, lock).catch(() => undefined);
  await rm(aside, { force: true });
}

function isDead(holder: string): boolean {
  return processIdentity(Number.parseInt(holder, 10)) !== holder;
}
