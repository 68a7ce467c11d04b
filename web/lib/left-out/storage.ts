/**
 * Stands in for `@supabase/storage-js` in the application's bundle: the screen that uploads
 * brings the real one (web/lib/upload.ts). The platform's client makes one of these for every page.
 */
export class StorageClient {
  from(): never {
    throw new Error("Storage is left out of the application: see vite.config.ts.");
  }
}

/** The platform's client hands this on to whoever imports it. */
export class StorageApiError extends Error {}
