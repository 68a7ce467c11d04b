import * as z from "zod/mini";
import { dataError } from "../app-error.ts";
import type { Supabase } from "../supabase.ts";

/** Kinds of things that have a slug. */
export type SlugKind = "organization" | "store" | "campaign";

type Question = { ownerId?: string | undefined; signal?: AbortSignal };

/** The nearest free slug: itself, or one with a number behind it; null when there is none near. */
export async function freeSlug(
  supabase: Supabase,
  kind: SlugKind,
  slug: string,
  { ownerId, signal }: Question = {},
): Promise<string | null> {
  const question = supabase.rpc("free_slug", {
    p_kind: kind,
    p_slug: slug,
    ...(ownerId && { p_owner_id: ownerId }),
  });
  const answer = await (signal ? question.abortSignal(signal) : question);
  if (answer.error) throw dataError(answer);
  return z.nullable(z.string()).parse(answer.data);
}
