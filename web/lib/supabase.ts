import { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../supabase/types/database.types.ts";
import type { PublicConfig } from "./config.ts";
import { noteWait } from "./retry-after.ts";

/** Longest wait for an answer: a till on a bad Wi-Fi must be told, not left waiting. */
const TIMEOUT_MS = 15_000;

const fetchWithTimeout: typeof fetch = async (input, init) => {
  const signal = init?.signal ?? AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(input, { ...init, signal });
  noteWait(response);
  return response;
};

/** Under which name the session is kept on the device. */
export const SESSION_KEY = "tournavis-session";

/**
 * Reads are tried again by the query client (`query-client.ts`), as calls of functions are. Its own three further
 * tries of a read would come on top of each of those, and a lost network would be told after half a minute.
 */
class Client extends SupabaseClient<Database> {
  constructor(...client: ConstructorParameters<typeof SupabaseClient<Database>>) {
    super(...client);
    this.rest.retry = false;
  }
}

/** Makes the platform's client for this deployment. */
export function createSupabase(config: PublicConfig) {
  return new Client(config.supabase_url, config.publishable_key, {
    auth: { storageKey: SESSION_KEY, flowType: "pkce" },
    global: { fetch: fetchWithTimeout },
  });
}

export type Supabase = ReturnType<typeof createSupabase>;
