import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { PrizePicture } from "#domain/rules/prize-picture.ts";
import type { CodeItem, RewardList } from "#domain/schemas/rewards.ts";
import type { Translations } from "#domain/text/merchant-words.ts";
import { newId } from "#domain/text/new-id.ts";
import { useApp } from "../../lib/app-context.ts";
import { AppError, dataError, functionError, NETWORK } from "../../lib/app-error.ts";
import { restoreCode } from "../../lib/restore-code.ts";
import { REWARDS } from "./rewards.queries.ts";

/** Nothing was written: the row is gone, or was never ours. */
const NOT_FOUND = "reward_not_found";

/** Conflict: another user saved a newer version. */
export const CONFLICT = "reward_conflict";

/** Payload of the form: columns of the table. */
export type RewardWrite = {
  name: string;
  description: string | null;
  type: "coupon" | "gift" | "points";
  reward_type: "coupon" | "gift" | "points";
  campaign_id: string;
  value: number | null;
  code_template: string | null;
  max_per_user: number;
  metadata: Record<string, number | string> | null;
  picture: PrizePicture | null;
  translations: Translations;
  item_translations: Translations;
  /** Left out when it was not touched: customers take from it meanwhile. */
  stock?: number;
};

function showActive(queryClient: QueryClient, id: string, active: boolean): void {
  queryClient.setQueriesData<RewardList>(
    { queryKey: [REWARDS, "list"] },
    (list) =>
      list && {
        ...list,
        items: list.items.map((item) => (item.id === id ? { ...item, active } : item)),
      },
  );
}

/** Renewal of the rewards, and of what else shows or counts them. */
function useForget() {
  const queryClient = useQueryClient();
  return () => {
    for (const key of ["dashboard", "campaigns"]) {
      void queryClient.invalidateQueries({ queryKey: [key] });
    }
    return queryClient.invalidateQueries({ queryKey: [REWARDS] });
  };
}

/** Switches a reward on or off: shown at once, saved at once, undone when saving fails. */
export function useSetActive() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  const forget = useForget();
  return useMutation({
    mutationFn: async ({ id, active }: { id: string; active: boolean }) => {
      const answer = await supabase.from("rewards").update({ active }).eq("id", id).select("id");
      if (answer.error) throw dataError(answer);
      if (answer.data.length === 0) throw new AppError(NOT_FOUND);
    },
    onMutate: async ({ id, active }) => {
      await queryClient.cancelQueries({ queryKey: [REWARDS, "list"] });
      showActive(queryClient, id, active);
    },
    onError: (_error, { id, active }) => showActive(queryClient, id, !active),
    onSettled: forget,
  });
}

/** Takes a reward out of the archive. */
export function useUnarchive() {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: async (id: string) => {
      const answer = await supabase
        .from("rewards")
        .update({ archived_at: null })
        .eq("id", id)
        .select("id");
      if (answer.error) throw dataError(answer);
      if (answer.data.length === 0) throw new AppError(NOT_FOUND);
    },
    onSuccess: forget,
  });
}

/** Deletes a reward, or archives it. */
export function useRemoveReward() {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: async ({ id, isArchived }: { id: string; isArchived: boolean }) => {
      const answer = await supabase.rpc("remove_reward", { p_id: id, p_is_archived: isArchived });
      if (answer.error) throw dataError(answer);
    },
    // After a refusal too: what depends on it has changed.
    onSettled: forget,
  });
}

/** Archives rewards, all or none. */
export function useArchiveRewards(orgId: string) {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: async (ids: string[]) => {
      const answer = await supabase.rpc("archive_rewards", { p_org_id: orgId, p_ids: ids });
      if (answer.error) throw dataError(answer);
    },
    // After a refusal too: one of them may be gone.
    onSettled: forget,
  });
}

/** SQLSTATE of an identifier that is taken: a first try made the row, and its answer was lost. */
const TAKEN = "23505";

/** Creates a reward, or saves a version of one. */
export function useSaveReward(orgId: string, existing?: { id: string; version: number }) {
  const { supabase } = useApp();
  const forget = useForget();
  const [own] = useState(newId);
  return useMutation({
    mutationFn: async (write: RewardWrite) => {
      const id = existing?.id ?? own;
      if (!existing) {
        const answer = await supabase.from("rewards").insert({ ...write, id, org_id: orgId });
        if (!answer.error) return id;
        if (answer.error.code !== TAKEN) throw dataError(answer);
      }
      const change = supabase.from("rewards").update(write).eq("id", id);
      const answer = await (existing ? change.eq("version", existing.version) : change).select(
        "id",
      );
      if (answer.error) throw dataError(answer);
      if (answer.data.length === 0) throw new AppError(CONFLICT);
      return id;
    },
    onSuccess: forget,
    // It may have been made, and its answer lost.
    onError: (error) => {
      if (!existing && error instanceof AppError && error.code === NETWORK) void forget();
    },
  });
}

/** Uses a code where it is good, as the till does. */
export function useRedeemCode() {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: async ({ code, store_id }: CodeItem) => {
      const { error } = await supabase.functions.invoke("redeem", { body: { code, store_id } });
      if (error) throw await functionError(error);
    },
    // After a refusal too: it may have been used elsewhere.
    onSettled: forget,
  });
}

/** Gives back a code that was used by mistake. */
export function useUndoRedemption() {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: ({ id }: CodeItem) => restoreCode(supabase, id),
    onSettled: forget,
  });
}
