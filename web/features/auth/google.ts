import * as z from "zod/mini";
import { AppError, NETWORK } from "../../lib/app-error.ts";
import { tabMemory } from "../../lib/device-memory.ts";

/** Where a tab remembers when it left for Google: what comes back soon is Google's answer. */
const GOOGLE_KEY = "tournavis-google";
const LONGEST_VISIT_MS = 15 * 60_000;

const answer = z.object({ url: z.url() });

/**
 * Asks the platform for Google's address before going there, so that a platform that cannot be
 * reached, or refuses, is told here instead of on a page of the browser.
 */
export async function followGoogle(url: string, publishableKey: string): Promise<void> {
  const response = await fetch(url, { headers: { apikey: publishableKey } }).catch((cause) => {
    throw new AppError(NETWORK, { cause });
  });
  const read = answer.safeParse(await response.json().catch(() => null));
  if (!response.ok || !read.success) {
    throw new AppError("provider_disabled", { status: response.status });
  }
  tabMemory.write(GOOGLE_KEY, String(Date.now()));
  window.location.assign(read.data.url);
}

/** Whether this tab comes back from Google. */
export function cameFromGoogle(): boolean {
  return Date.now() - Number(tabMemory.read(GOOGLE_KEY) ?? 0) < LONGEST_VISIT_MS;
}
