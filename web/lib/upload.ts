import { StorageClient } from "@supabase/storage-js";
import type { App } from "./app-context.ts";
import { AppError, NETWORK, UNAUTHENTICATED } from "./app-error.ts";

/** Timeout of an upload on a slow connection. */
const TIMEOUT_MS = 120_000;

/** Codes for the storage's own numbers. */
const CODES: Readonly<Record<string, string>> = {
  "401": UNAUTHENTICATED,
  "403": "forbidden",
  "413": "logo_too_heavy",
  "415": "logo_unreadable",
};

/**
 * Uploads a file for the signed-in member, with the platform's own storage client. It comes with the screen that
 * uploads, which alone need it. Throws an AppError.
 */
export async function uploadFile(
  { config, supabase }: Pick<App, "config" | "supabase">,
  to: { bucket: string; path: string },
  file: File,
): Promise<void> {
  const { data } = await supabase.auth.getSession();
  if (!data.session) throw new AppError(UNAUTHENTICATED);
  const storage = new StorageClient(
    `${config.supabase_url}/storage/v1`,
    { apikey: config.publishable_key, authorization: `Bearer ${data.session.access_token}` },
    (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
  );
  // As bytes: a form around them would have to be taken apart on the other side.
  const bytes = await file.arrayBuffer();
  const { error } = await storage
    .from(to.bucket)
    .upload(to.path, bytes, { contentType: file.type });
  if (!error) return;
  const said = error.statusCode ?? String(error.status ?? "");
  throw new AppError(CODES[said] ?? (error.status ? "unknown" : NETWORK), { cause: error });
}
