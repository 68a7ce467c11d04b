import type { App } from "./app-context.ts";
import { createAuth } from "./auth.ts";
import type { PublicConfig } from "./config.ts";
import { createQueryClient } from "./query-client.ts";
import { createSupabase } from "./supabase.ts";

/** Puts the application's parts together for this deployment. */
export function createApp(config: PublicConfig): App {
  const supabase = createSupabase(config);
  const auth = createAuth(supabase);
  return { config, supabase, auth, queryClient: createQueryClient(auth.expire) };
}
