import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import type { CodeListStatus } from "#domain/schemas/code-status.ts";
import { rewardCodes, rewardList, rewardRow, rewardStats } from "#domain/schemas/rewards.ts";
import { dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** First word of every key of this feature. */
export const REWARDS = "rewards";

/** View in the list's address. */
export type RewardsView = {
  search: string;
  isArchived: boolean;
  page: number;
  sort?: string | undefined;
};

/** A page of the rewards, with the figures above it. */
export function rewardListQuery(supabase: Supabase, view: RewardsView & { orgId: string }) {
  return queryOptions({
    queryKey: [REWARDS, "list", view],
    queryFn: async () => {
      const answer = await supabase.rpc("reward_list", {
        p_org_id: view.orgId,
        p_search: view.search,
        p_is_archived: view.isArchived,
        p_page: view.page,
        ...(view.sort && { p_sort: view.sort }),
      });
      if (answer.error) throw dataError(answer);
      return rewardList.parse(answer.data);
    },
    placeholderData: keepPreviousData,
  });
}

/** Text in the address may be no identifier at all: then there is no such reward. */
function isIdentifier(text: string): boolean {
  return z.guid().safeParse(text).success;
}

type CodesView = {
  rewardId: string;
  search: string;
  status?: CodeListStatus | undefined;
  sort?: string | undefined;
  page: number;
};

/** A page of a reward's codes; null when there is no such reward. Codes change at every till: always refetched. */
export function rewardCodesQuery(supabase: Supabase, view: CodesView) {
  return queryOptions({
    queryKey: [REWARDS, "codes", view],
    queryFn: async () => {
      if (!isIdentifier(view.rewardId)) return null;
      const answer = await supabase.rpc("reward_codes", {
        p_id: view.rewardId,
        p_search: view.search,
        p_page: view.page,
        ...(view.status && { p_status: view.status }),
        ...(view.sort && { p_sort: view.sort }),
      });
      if (answer.error) throw dataError(answer);
      return rewardCodes.parse(answer.data);
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Figures of a reward; null when there is no such reward. */
export function rewardStatsQuery(supabase: Supabase, rewardId: string) {
  return queryOptions({
    queryKey: [REWARDS, "stats", rewardId],
    queryFn: async () => {
      if (!isIdentifier(rewardId)) return null;
      const answer = await supabase.rpc("reward_stats", { p_id: rewardId });
      if (answer.error) throw dataError(answer);
      return rewardStats.parse(answer.data);
    },
  });
}

/** A reward as its form needs it; null when there is none. Never read from the cache, so that no stale copy is edited. */
export function rewardQuery(supabase: Supabase, rewardId: string) {
  return queryOptions({
    queryKey: [REWARDS, "row", rewardId],
    queryFn: async () => {
      if (!isIdentifier(rewardId)) return null;
      const answer = await supabase
        .from("rewards")
        .select(
          "id, version, name, description, type, campaign_id, value, code_template, stock, max_per_user, metadata, picture, translations, item_translations",
        )
        .eq("id", rewardId)
        .maybeSingle();
      if (answer.error) throw dataError(answer);
      return z.nullable(rewardRow).parse(answer.data);
    },
    gcTime: 0,
    staleTime: 0,
  });
}

const campaignChoices = z.array(z.object({ id: z.uuid(), name: z.string(), active: z.boolean() }));
export type CampaignChoice = z.infer<typeof campaignChoices>[number];

/** Campaigns in use, by name: on their wheels a reward can be put. */
export function wheelChoicesQuery(supabase: Supabase, orgId: string) {
  return queryOptions({
    queryKey: ["campaigns", "wheels", orgId],
    queryFn: async () => {
      const answer = await supabase
        .from("campaigns")
        .select("id, name, active")
        .eq("org_id", orgId)
        .is("archived_at", null)
        .order("name");
      if (answer.error) throw dataError(answer);
      return campaignChoices.parse(answer.data);
    },
    staleTime: 0,
  });
}

/** Campaigns that a reward can be won in, by name. */
export function campaignChoicesQuery(supabase: Supabase, orgId: string) {
  return queryOptions({
    queryKey: ["campaigns", "choices", orgId],
    queryFn: async () => {
      const answer = await supabase
        .from("campaigns")
        .select("id, name, active")
        .eq("org_id", orgId)
        .order("name");
      if (answer.error) throw dataError(answer);
      return campaignChoices.parse(answer.data);
    },
    // Another screen may just have made or closed one.
    staleTime: 0,
  });
}
