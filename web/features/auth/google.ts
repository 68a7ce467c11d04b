import * as z from "zod/mini";
import { AppError, NETWORK } from "../../lib/app-error.ts";
import type { PublicConfig } from "../../lib/config.ts";

/** Longest wait for an answer before the page is left. */
const TIMEOUT_MS = 15_000;

const settings = z.object({ external: z.object({ google: z.boolean() }) });

/**
 * Asks the platform whether it would lead to Google, before the page is left for it: one that cannot be reached is told
 * here, beside what was typed, instead of on a page of the browser.
 */
export async function checkGoogle(config: PublicConfig): Promise<void> {
  const response = await fetch(`${config.supabase_url}/auth/v1/settings`, {
    headers: { apikey: config.publishable_key },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new AppError(NETWORK, { cause });
  });
  const { status } = response;
  const read = settings.safeParse(await response.json().catch(() => null));
  if (!response.ok || !read.success) throw new AppError("unknown", { status });
  if (!read.data.external.google) throw new AppError("provider_disabled", { status });
}
