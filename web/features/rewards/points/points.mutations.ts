import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { PointsItem } from "#domain/schemas/points.ts";
import { newId } from "#domain/text/new-id.ts";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, dataError } from "../../../lib/app-error.ts";
import { POINTS } from "./points.queries.ts";
import type { PointsWrite } from "./points.schema.ts";

/** Conflict: another user saved a newer version, or deleted it. */
export const CONFLICT = "points_conflict";

/** SQLSTATE of an identifier that is taken: a first try made the row, and its answer was lost. */
const TAKEN = "23505";

function useRefresh() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: [POINTS] });
}

/** Adds something to the catalogue, or saves a version of it. */
export function useSavePointsReward(orgId: string, item: PointsItem | null) {
  const { supabase } = useApp();
  const refresh = useRefresh();
  const [own] = useState(newId);
  return useMutation({
    mutationFn: async (write: PointsWrite) => {
      const id = item?.id ?? own;
      if (item === null) {
        const answer = await supabase
          .from("points_rewards")
          .insert({ ...write, id, org_id: orgId });
        if (!answer.error) return;
        if (answer.error.code !== TAKEN) throw dataError(answer);
      }
      const change = supabase.from("points_rewards").update(write).eq("id", id);
      const answer = await (item ? change.eq("version", item.version) : change).select("id");
      if (answer.error) throw dataError(answer);
      if (answer.data.length === 0) throw new AppError(CONFLICT);
    },
    onSuccess: refresh,
    // It may have been made, and its answer lost.
    onError: () => void refresh(),
  });
}

/** Offers something, or no longer. */
export function useOfferPointsReward() {
  const { supabase } = useApp();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ id, active }: Pick<PointsItem, "id" | "active">) => {
      const answer = await supabase
        .from("points_rewards")
        .update({ active })
        .eq("id", id)
        .select("id");
      if (answer.error) throw dataError(answer);
      if (answer.data.length === 0) throw new AppError("forbidden");
    },
    onSettled: refresh,
  });
}

/** Takes something out of the catalogue for good; codes that were taken for it stay. */
export function useRemovePointsReward() {
  const { supabase } = useApp();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (id: string) => {
      const answer = await supabase.from("points_rewards").delete().eq("id", id);
      if (answer.error) throw dataError(answer);
    },
    onSettled: refresh,
  });
}
