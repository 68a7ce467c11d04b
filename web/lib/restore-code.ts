import { dataError } from "./app-error.ts";
import type { Supabase } from "./supabase.ts";

/** Gives back a code that was used by mistake. The database knows who may, and for how long. */
export async function restoreCode(supabase: Supabase, id: string): Promise<void> {
  const answer = await supabase.rpc("restore_code", { p_id: id });
  if (answer.error) throw dataError(answer);
}
