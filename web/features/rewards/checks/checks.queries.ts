import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import {
  type CheckAction,
  type CheckDecision,
  type CheckSettings,
  checkDecision,
  checkGroups,
  checkSettings,
} from "#domain/schemas/checks.ts";
import { useApp } from "../../../lib/app-context.ts";
import { dataError } from "../../../lib/app-error.ts";
import type { Supabase } from "../../../lib/supabase.ts";
import { useMay } from "../../../lib/use-may.ts";
import { useWorkspace } from "../../../lib/workspace.ts";
import { REWARDS } from "../rewards.queries.ts";

type ChecksView = {
  orgId: string;
  isClosed: boolean;
  /** Last group of the page before; null for the first page. */
  after: string | null;
};

/** A page of the groups of prizes to check, or of those that were dealt with. */
export function checksQuery(supabase: Supabase, { orgId, isClosed, after }: ChecksView) {
  return queryOptions({
    queryKey: [REWARDS, "checks", orgId, isClosed, after],
    queryFn: async () => {
      const answer = await supabase.rpc("check_groups", {
        p_org_id: orgId,
        p_is_closed: isClosed,
        ...(after !== null && { p_after: after }),
      });
      if (answer.error) throw dataError(answer);
      return checkGroups.parse(answer.data);
    },
    placeholderData: keepPreviousData,
    // A turn of this minute may be in it.
    staleTime: 0,
  });
}

type Decision = {
  id: string;
  action: CheckAction;
  /** Some of its codes; all of them where none are named. */
  codes?: string[];
};

/** A decision and its result. */
export type Outcome = { decision: Decision; result: CheckDecision };

/**
 * Holds, cancels or releases prizes of a group, or deals with the group. `onDone` is called before the list is refetched,
 * which may take the group off it.
 */
export function useDecide(onDone: (outcome: Outcome) => void) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, action, codes }: Decision) => {
      const answer = await supabase.rpc("decide_check", {
        p_id: id,
        p_action: action,
        ...(codes && { p_codes: codes }),
      });
      if (answer.error) throw dataError(answer);
      return checkDecision.parse(answer.data);
    },
    onSuccess: (result, decision) => onDone({ decision, result }),
    // After a refusal too: a till may have been faster.
    onSettled: () =>
      Promise.all(
        [[REWARDS], ["workspace"], ["dashboard"]].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

/** Whether the signed-in person may take a decision: only releasing goes on while the organisation is closed, as tills do. */
export function useMayDecide(): (action: CheckAction) => boolean {
  const { organization, plan } = useWorkspace() ?? {};
  const isClosed = organization?.erase_at || plan?.is_open === false;
  const mayDecide = useMay().may("rewards.write");
  return (action) => mayDecide && (!isClosed || action === "release");
}

/** Query of a campaign's checks; edits never begin from an old copy. */
export function checkSettingsQuery(supabase: Supabase, campaignId: string) {
  return queryOptions({
    queryKey: [REWARDS, "check-settings", campaignId],
    queryFn: async () => {
      const answer = await supabase.rpc("check_settings", { p_campaign_id: campaignId });
      if (answer.error) throw dataError(answer);
      return checkSettings.parse(answer.data);
    },
    staleTime: 0,
    gcTime: 0,
  });
}

/** Saves what a campaign marks. */
export function useSaveCheckSettings(campaignId: string) {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async (settings: CheckSettings) => {
      const answer = await supabase.rpc("save_check_settings", {
        p_campaign_id: campaignId,
        p_device_names: settings.device_names,
        p_network_names: settings.network_names,
        p_marks_disposable: settings.marks_disposable,
        ...(settings.device_daily_limit && { p_device_daily_limit: settings.device_daily_limit }),
        ...(settings.quiet_from &&
          settings.quiet_to && {
            p_quiet_from: settings.quiet_from,
            p_quiet_to: settings.quiet_to,
          }),
        ...(settings.presence && { p_presence: settings.presence }),
      });
      if (answer.error) throw dataError(answer);
    },
  });
}
