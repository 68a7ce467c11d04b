import type { App } from "./app-context.ts";
import { takeArrival } from "./arrival.ts";
import { createAuth } from "./auth.ts";
import type { PublicConfig } from "./config.ts";
import { createQueryClient } from "./query-client.ts";
import { createSupabase, SESSION_KEY } from "./supabase.ts";

/** Puts the application's parts together for this deployment. */
export function createApp(config: PublicConfig): App {
  // Before the client and the router look at the address.
  const arrival = takeArrival(SESSION_KEY);
  const supabase = createSupabase(config);
  const auth = createAuth(supabase, arrival);
  return { config, supabase, auth, queryClient: createQueryClient(auth) };
}
