import * as z from "zod/mini";
import { AppError, NETWORK } from "./app-error.ts";

/** What this deployment tells the application at run time, so that one build serves any. */
const publicConfig = z.object({
  supabase_url: z.url(),
  publishable_key: z.string().check(z.minLength(1)),
  /** Runs on somebody's own machine: helps that only make sense there may show. */
  local: z._default(z.boolean(), false),
  /** Slug of the demo shop's campaign, where there is one. */
  demo_slug: z.optional(z.nullable(z.string())),
});
export type PublicConfig = z.infer<typeof publicConfig>;

/** Loads the run-time configuration: the first thing of all. */
export async function loadConfig(): Promise<PublicConfig> {
  const response = await fetch("/config.json").catch((cause: unknown) => {
    throw new AppError(NETWORK, { cause });
  });
  if (!response.ok) throw new AppError("config_unavailable", { status: response.status });
  const config = publicConfig.safeParse(await response.json().catch(() => null));
  if (!config.success) throw new AppError("config_invalid", { cause: config.error });
  return config.data;
}
