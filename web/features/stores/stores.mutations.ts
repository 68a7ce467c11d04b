import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { confirmationOf } from "#domain/rules/review-links.ts";
import { created } from "#domain/schemas/back-office.ts";
import { newId } from "#domain/text/new-id.ts";
import { useApp } from "../../lib/app-context.ts";
import { AppError, dataError, FORBIDDEN, NO_DATA } from "../../lib/app-error.ts";
import { saveWithSlug } from "../../lib/slugs/save-with-slug.ts";
import type { StoreForm, StoreWrite } from "./form/store.schema.ts";
import { STORES } from "./stores.queries.ts";

/** Conflict: another user saved a newer version. */
export const CONFLICT = "store_conflict";

/** Changes of a store show in lists and choices everywhere. */
function useForget(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all(
      [STORES, "workspace", "dashboard", "campaigns", "customers", "settings"].map((key) =>
        queryClient.invalidateQueries({ queryKey: [key] }),
      ),
    );
  };
}

/** Creates a store. A second try of it, where the first one's answer was lost, corrects what the first one made. */
export function useCreateStore() {
  const { supabase } = useApp();
  const forget = useForget();
  const [id] = useState(newId);
  return useMutation({
    mutationFn: ({ isSuggested, ...form }: StoreForm & { isSuggested: boolean }) =>
      saveWithSlug(supabase, { kind: "store", slug: form.slug, isSuggested }, async (slug) => {
        const confirmed = confirmationOf(form);
        const answer = await supabase.rpc("create_store", {
          p_id: id,
          p_name: form.name,
          p_slug: slug,
          p_address: form.address,
          p_google_review_url: form.url,
          p_review_mode: form.mode,
          ...(confirmed && { p_review_host_confirmed: confirmed }),
        });
        if (answer.error) throw dataError(answer);
        if (!created.safeParse(answer.data).success) throw new AppError(NO_DATA);
      }),
    onSuccess: forget,
    // It may have been made, and its answer lost.
    onError: () => void forget(),
  });
}

/** Saves a version of a store. */
export function useSaveStore({ id, version }: { id: string; version: number }) {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: async (write: StoreWrite) => {
      const answer = await supabase
        .from("stores")
        .update(write)
        .eq("id", id)
        .eq("version", version)
        .select("id");
      if (answer.error) throw dataError(answer);
      if (answer.data.length === 0) throw new AppError(CONFLICT);
    },
    onSuccess: forget,
  });
}

/** Deletes a store, or archives it. */
export function useRemoveStore() {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: async ({ id, isArchived }: { id: string; isArchived: boolean }) => {
      const answer = await supabase.rpc("remove_store", { p_id: id, p_is_archived: isArchived });
      if (answer.error) throw dataError(answer);
    },
    // After a refusal too: what depends on it has changed.
    onSettled: forget,
  });
}

/** Takes a store out of the archive; its campaigns stay at rest. */
export function useUnarchiveStore() {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: async (id: string) => {
      const answer = await supabase
        .from("stores")
        .update({ archived_at: null })
        .eq("id", id)
        .select("id");
      if (answer.error) throw dataError(answer);
      // A policy refuses a change so.
      if (answer.data.length === 0) throw new AppError(FORBIDDEN);
    },
    onSuccess: forget,
  });
}
