import type { App } from "./app-context.ts";
import { takeArrival } from "./arrival.ts";
import { createAuth } from "./auth.ts";
import type { PublicConfig } from "./config.ts";
import { linkProof, takeLinkProof } from "./link-proof.ts";
import { provideDigest } from "./plain-http.ts";
import { createQueryClient } from "./query-client.ts";
import { createSupabase, SESSION_KEY } from "./supabase.ts";

/** Puts the application's parts together for this deployment. */
export function createApp(config: PublicConfig): App {
  provideDigest();
  // Before the client and the router look at the address.
  const hasCode = takeLinkProof();
  const arrival = takeArrival(SESSION_KEY);
  const supabase = createSupabase(config);
  if (hasCode && arrival === null) {
    // In the browser that signed up, the code of the link is all the proof that is needed.
    void supabase.auth.initialize().then(({ error }) => !error && linkProof.drop());
  }
  const auth = createAuth(supabase, arrival);
  return { config, supabase, auth, queryClient: createQueryClient(auth) };
}
