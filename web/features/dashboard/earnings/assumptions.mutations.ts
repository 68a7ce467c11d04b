import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { RewardCost } from "#domain/schemas/back-office.ts";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, dataError, errorMessage, FORBIDDEN, NETWORK } from "../../../lib/app-error.ts";

/** Conflict: another user saved a newer version of the reward. */
const REWARD_CONFLICT = "reward_conflict";

/** Queries whose figures rest on an assumption, by their first words. */
const SHOWN = [["dashboard"], ["campaigns", "stats"], ["rewards"]];

/** Refetches what depends on an assumption; after a refusal too, since another user has changed it. */
function useRenew() {
  const queryClient = useQueryClient();
  return () => Promise.all(SHOWN.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Saves how many of a hundred codes used brought their customer back; `before` is the value that was read. */
export function useSaveReturnShare(orgId: string, before: number) {
  const { supabase } = useApp();
  const onSettled = useRenew();
  return useMutation({
    mutationFn: async (share: number) => {
      const answer = await supabase.rpc("set_return_share", {
        p_org_id: orgId,
        p_before: before,
        p_share: share,
      });
      if (answer.error) throw dataError(answer);
    },
    onSettled,
  });
}

/** Saves what a reward costs, as the version of it that was read. */
export function useSaveCost({ id, version }: RewardCost) {
  const { supabase } = useApp();
  const onSettled = useRenew();
  return useMutation({
    mutationFn: async (value: number | null) => {
      const answer = await supabase
        .from("rewards")
        .update({ value })
        .eq("id", id)
        .eq("version", version)
        .select("id");
      if (answer.error) throw dataError(answer);
      if (answer.data.length === 0) throw new AppError(REWARD_CONFLICT);
    },
    onSettled,
  });
}

type Sentences = { conflict: string; forbidden: string; rule: string; failed: string };

/** Why an assumption was not saved. */
export function assumptionFailure(error: Error, copy: Sentences): string {
  if (error instanceof AppError && error.code === NETWORK) return errorMessage(error);
  return errorMessage(error, {
    TV071: copy.conflict,
    [REWARD_CONFLICT]: copy.conflict,
    [FORBIDDEN]: copy.forbidden,
    "23514": copy.rule,
    unknown: copy.failed,
  });
}
