/**
 * Stands in for `@supabase/storage-js` in the application's bundle: no page stores files. The platform's
 * client makes one of these; whoever asks it for a bucket is told where to bring the real one back.
 */
export class StorageClient {
  from(): never {
    throw new Error("Storage is left out of the application: see vite.config.ts.");
  }
}

/** The platform's client hands this on to whoever imports it. */
export class StorageApiError extends Error {}
