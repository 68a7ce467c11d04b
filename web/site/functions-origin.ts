import * as z from "zod/mini";

/** Timeout of a response, after which a failure is shown. */
export const TIMEOUT_MS = 15_000;

const config = z.object({ supabase_url: z.url() });

/** Address of a server function: of this host, or of the project that a static host belongs to. */
export async function functionAddress(name: string): Promise<string> {
  const response = await fetch("/config.json", { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { supabase_url: origin } = config.parse(await response.json());
  return `${origin}/functions/v1/${name}`;
}
