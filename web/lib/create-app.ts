import type { App } from "./app-context.ts";
import { speaksOfArrival } from "./auth/arrival-address.ts";
import { createAuth } from "./auth/auth.ts";
import { googleIntent } from "./auth/google-intent.ts";
import type { PublicConfig } from "./config.ts";
import { createQueryClient } from "./query-client.ts";
import { createSupabase, SESSION_KEY } from "./supabase.ts";

/** Puts the application's parts together for this deployment. */
export async function createApp(config: PublicConfig): Promise<App> {
  // Before the client and the router look at the address. Few arrive by a link: what reads it is loaded for them alone.
  const problem = speaksOfArrival(window.location.href)
    ? (await import("./auth/arrival.ts")).takeArrival(SESSION_KEY)
    : null;
  const arrival = { problem, intent: googleIntent.end() };
  const supabase = createSupabase(config);
  const auth = createAuth(supabase, arrival);
  return { config, supabase, auth, queryClient: createQueryClient(auth) };
}
