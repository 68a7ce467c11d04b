import { type FileHandle, open, rm } from "node:fs/promises";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { StartupError } from "../start/startup-error.ts";

/**
 * Writes a file that this account alone reads, whole or not at all: what is in it is somebody's, and a part would be in the way
 * of another try. A file that is there already stays.
 */
export async function writeNewFile(
  file: string,
  parts: Iterable<string> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const unwritable = (error: unknown): never => {
    const details = { file, reason: errorCode(error) };
    throw new StartupError("operator_file_unwritable", details, { cause: error });
  };
  const handle = await open(file, "wx", 0o600).catch(unwritable);
  try {
    await fill(handle, parts, unwritable);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

async function fill(
  handle: FileHandle,
  parts: Iterable<string> | AsyncIterable<Uint8Array>,
  unwritable: (error: unknown) => never,
): Promise<void> {
  for await (const part of parts) await handle.appendFile(part).catch(unwritable);
  await handle.sync().catch(unwritable);
}
