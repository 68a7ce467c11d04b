import { createClient } from "@supabase/supabase-js";
import type { PublicConfig } from "./config.ts";
import type { Database } from "./database.types.ts";

/** Longest wait for an answer: a till on a bad Wi-Fi must be told, not left waiting. */
const TIMEOUT_MS = 15_000;

const fetchWithTimeout: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(TIMEOUT_MS) });

/** Makes the platform's client for this deployment. */
export function createSupabase(config: PublicConfig) {
  return createClient<Database>(config.supabase_url, config.publishable_key, {
    auth: { storageKey: "tournavis-session", flowType: "pkce" },
    global: { fetch: fetchWithTimeout },
  });
}

export type Supabase = ReturnType<typeof createSupabase>;
