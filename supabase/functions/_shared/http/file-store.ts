import { StorageClient } from "@supabase/storage-js";

/** A year: a file whose name changes with its content is never asked for again. */
const FOREVER_S = 31_536_000;

/** The platform's storage, as the server uses it: nothing of it is refused. */
export type FileStore = {
  /** Bytes of a file; null when there is none. */
  read(bucket: string, path: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Writes a file that never changes under this name. */
  write(bucket: string, path: string, bytes: Uint8Array<ArrayBuffer>, type: string): Promise<void>;
  /** Removes files; those that are not there are gone already. */
  remove(bucket: string, paths: readonly string[]): Promise<void>;
};

/** Storage did not do what it was asked for. */
class StorageFailure extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** Timeout of an upload or download. */
const TIMEOUT_MS = 30_000;

const sendOut: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });

/** Reaches `storage/v1` through the platform's own client, with the key that passes its policies. */
export function createFileStore(url: string, key: string, send = sendOut): FileStore {
  const storage = new StorageClient(
    `${url}/storage/v1`,
    { apikey: key, authorization: `Bearer ${key}` },
    send,
  );
  return {
    read: async (bucket, path) => {
      const { data, error } = await storage.from(bucket).download(path);
      if (error) {
        if (isMissing(error)) return null;
        throw new StorageFailure("storage_read_failed");
      }
      return new Uint8Array(await data.arrayBuffer());
    },
    write: async (bucket, path, bytes, type) => {
      const { error } = await storage.from(bucket).upload(path, bytes.buffer, {
        contentType: type,
        cacheControl: String(FOREVER_S),
        upsert: true,
      });
      if (error) throw new StorageFailure("storage_write_failed");
    },
    remove: async (bucket, paths) => {
      const { error } = await storage.from(bucket).remove([...paths]);
      if (error) throw new StorageFailure("storage_remove_failed");
    },
  };
}

/** The storage says « not found » with 404, or with 400 and the word in its body. */
function isMissing(error: {
  status?: number | undefined;
  statusCode?: string | undefined;
}): boolean {
  return error.status === 404 || error.statusCode === "404" || error.statusCode === "not_found";
}
