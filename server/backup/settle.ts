import { link, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { syncFolder } from "../config/sync-folder.ts";

type Step = (from: string, to: string) => Promise<void>;

/** Codes of a disk without hard links, such as a FAT stick or a share. */
const WITHOUT_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/**
 * Gives a whole file its name, once its bytes survive a power cut; no part of it ever has that name. Error EEXIST where another
 * file has it. The caller removes the unfinished name.
 */
export async function settle(
  unfinished: string,
  file: string,
  disk: { link: Step; rename: Step } = { link, rename },
): Promise<{ size: number }> {
  const handle = await open(unfinished, "r");
  try {
    await handle.sync();
    const { size } = await handle.stat();
    await disk.link(unfinished, file).catch(async (error: unknown) => {
      if (!WITHOUT_LINKS.includes(errorCode(error))) throw error;
      await refuseOther(file);
      await disk.rename(unfinished, file);
    });
    await syncFolder(dirname(file));
    return { size };
  } finally {
    await handle.close();
  }
}

/** Renaming alone would replace the file of another. */
async function refuseOther(file: string): Promise<void> {
  if (!(await stat(file).catch(() => null))) return;
  throw Object.assign(new Error("The name is taken."), { code: "EEXIST" });
}
