import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import type { Entry, ZipFile } from "yauzl";
import { z } from "zod";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { productVersion } from "../product-version.ts";
import { StartupError } from "../start/startup-error.ts";
import { CopyMeter } from "./copy-meter.ts";
import {
  FORMAT,
  MANIFEST_ENTRY,
  type Manifest,
  manifestSchema,
  SECRETS_ENTRY,
  type TableManifest,
} from "./manifest.ts";
import { unsealSecrets } from "./seal-secrets.ts";
import type { OnProgress } from "./write-backup.ts";

/** Longest manifest and seal that are read: a file that says otherwise is none of ours. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024;

/** A backup file whose manifest was read. */
export type OpenBackup = {
  manifest: Manifest;
  /** The installation's secrets; refuses another passphrase than the backup's. */
  unseal(passphrase: string): Promise<Record<string, string>>;
  /** Reads every table once and compares it with its checksum. */
  verify(onProgress: OnProgress): Promise<void>;
  /** Rows of a table, as `COPY` takes them. */
  rowsOf(table: TableManifest): Promise<Readable>;
  close(): void;
};

/** Opens a backup; refuses a file that is not one, is damaged, or needs a later version to be read. */
export async function openBackup(file: string): Promise<OpenBackup> {
  const damaged = (cause?: unknown) => new StartupError("backup_damaged", { file }, { cause });
  const { zip, entries } = await readDirectory(file, damaged);
  const streamOf = async (name: string) => {
    const entry = entries.get(name);
    if (!entry) throw damaged();
    return { entry, stream: await zip.openReadStreamPromise(entry) };
  };
  const bytesOf = async (name: string) => {
    const { entry, stream } = await streamOf(name);
    if (entry.uncompressedSize > MAX_ENTRY_BYTES) throw damaged();
    const bytes = await buffer(stream);
    if (crc32(bytes) !== entry.crc32) throw damaged();
    return bytes;
  };
  try {
    const manifestBytes = await bytesOf(MANIFEST_ENTRY).catch(asDamaged);
    const sealed = await bytesOf(SECRETS_ENTRY).catch(asDamaged);
    const manifest = await parseManifest(manifestBytes, damaged);
    const all = manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0) || 1;
    return {
      manifest,
      async unseal(passphrase) {
        const secrets = await unsealSecrets(sealed.toString(), passphrase, manifestBytes).catch(
          asDamaged,
        );
        if (secrets === null) throw new StartupError("backup_passphrase_wrong");
        return secrets;
      },
      async verify(onProgress) {
        let done = 0;
        for (const table of manifest.tables) {
          const { stream } = await streamOf(table.entry).catch(asDamaged);
          const meter = new CopyMeter((bytes) => {
            done += bytes;
            onProgress(Math.min(done / all, 1));
          });
          await pipeline(stream, meter.resume()).catch(asDamaged);
          const found = meter.measured();
          if (found.sha256 !== table.sha256 || found.rows !== table.rows) throw damaged();
        }
      },
      rowsOf: async ({ entry }) => (await streamOf(entry)).stream,
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }

  function asDamaged(error: unknown): never {
    throw error instanceof StartupError ? error : damaged(error);
  }
}

async function readDirectory(
  file: string,
  damaged: (cause: unknown) => StartupError,
): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> {
  try {
    // Only a restore needs it.
    const { openPromise } = await import("yauzl");
    const zip = await openPromise(file, { autoClose: false, lazyEntries: true });
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    return { zip, entries };
  } catch (error) {
    const code = errorCode(error);
    if (["ENOENT", "EACCES", "EISDIR", "ENOTDIR"].includes(code)) {
      throw new StartupError("backup_unreadable", { file, reason: code }, { cause: error });
    }
    throw damaged(error);
  }
}

const beginning = z.object({ format: z.int(), product: z.string() });

async function parseManifest(
  bytes: Buffer,
  damaged: (cause: unknown) => StartupError,
): Promise<Manifest> {
  try {
    const data: unknown = JSON.parse(bytes.toString("utf8"));
    // Asked first: a later version may write the rest otherwise.
    const { format, product } = beginning.parse(data);
    if (format > FORMAT) {
      throw new StartupError("backup_newer", { version: product, current: await productVersion() });
    }
    return manifestSchema.parse(data);
  } catch (error) {
    throw error instanceof StartupError ? error : damaged(error);
  }
}
