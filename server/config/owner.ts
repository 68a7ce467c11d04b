import { chown, stat } from "node:fs/promises";

/**
 * Gives what root has written to whom a folder belongs: the server's own account reads it. Whoever is not root writes under its
 * own name already.
 */
export async function giveToOwnerOf(folder: string, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  if (uid !== 0) await chown(path, uid, gid);
}
