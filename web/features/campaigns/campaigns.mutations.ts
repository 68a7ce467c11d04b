import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { UNLIMITED_STOCK } from "#domain/rules/constants.ts";
import type { PrizePicture } from "#domain/rules/prize-picture.ts";
import { copiedCampaign } from "#domain/schemas/campaigns.ts";
import { newId } from "#domain/text/new-id.ts";
import { suggestSlug } from "#domain/text/slugify.ts";
import { useApp } from "../../lib/app-context.ts";
import { AppError, CLOSED, dataError, errorMessage, NETWORK } from "../../lib/app-error.ts";
import { translatedProposal } from "../../lib/translated-proposal.ts";
import { zonedDayEnd, zonedDayStart } from "../../lib/zoned-time.ts";
import type { CampaignForm } from "./campaign.schema.ts";
import { campaignsCopy } from "./campaigns.copy.ts";

const copy = campaignsCopy.create.failed;

/** A segment of a new wheel, as `start_campaign` takes it. */
export type NewSegment = {
  label: string;
  color: string;
  weight: number;
  prize: { type: string; cost_cents: number | null; picture: PrizePicture } | null;
};

/** A new campaign, with the time zone in which its days are meant: its store's. */
type NewCampaign = CampaignForm & {
  timezone: string;
  /** Chosen here: a second try with it makes no second campaign. */
  id: string;
  /** The wheel of a template. */
  segments: NewSegment[] | null;
};

/** Origin of a campaign, as `start_campaign` takes it. */
async function originOf({ origin, sourceId, stock, stockCount, segments }: NewCampaign) {
  if (origin === "template") return { p_segments: await translatedProposal(segments ?? []) };
  if (stock === "shared") return { p_segments: null, p_source_id: sourceId, p_is_shared: true };
  const count = stock === "unlimited" ? UNLIMITED_STOCK : Number(stockCount);
  return { p_segments: null, p_source_id: sourceId, ...(stock !== "left" && { p_stock: count }) };
}

/** A campaign is seen in lists and choices everywhere. */
function useForget() {
  const queryClient = useQueryClient();
  return () => {
    for (const key of ["campaigns", "dashboard", "workspace", "rewards", "stores"]) {
      void queryClient.invalidateQueries({ queryKey: [key] });
    }
  };
}

/**
 * Adds a campaign, which runs through its last day; the database gives its slug a suffix where another merchant has it.
 */
export function useCreateCampaign(orgId: string) {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: async (campaign: NewCampaign) => {
      const { name, description, storeId, startsOn, endsOn, active, timezone } = campaign;
      const startsAt = startsOn ? zonedDayStart(startsOn, timezone) : null;
      const endsAt = endsOn ? zonedDayEnd(endsOn, timezone) : null;
      if (campaign.origin !== "empty") {
        const answer = await supabase.rpc("start_campaign", {
          p_id: campaign.id,
          p_store_id: storeId,
          p_name: name,
          p_slug: suggestSlug(name),
          p_active: active,
          ...(await originOf(campaign)),
          ...(description && { p_description: description }),
          ...(startsAt && { p_starts_at: startsAt }),
          ...(endsAt && { p_ends_at: endsAt }),
        });
        if (answer.error) throw dataError(answer);
        return;
      }
      const row = {
        store_id: storeId,
        name,
        slug: suggestSlug(name),
        description: description || null,
        active,
        starts_at: startsAt,
        ends_at: endsAt,
      };
      const { id } = campaign;
      const answer = await supabase.from("campaigns").insert({ ...row, id, org_id: orgId });
      if (!answer.error) return;
      if (answer.status === 0) throw dataError(answer);
      // Refused for its name or the plan, where a first try has made it and its answer was lost.
      const first = await supabase.from("campaigns").update(row).eq("id", id).select("id");
      if (!first.data?.length) throw dataError(answer);
    },
    onSettled: forget,
  });
}

/** Copies a campaign with its wheel and its rewards; answers the copy. */
export function useDuplicateCampaign() {
  const { supabase } = useApp();
  const forget = useForget();
  // A second try, where the first one's answer was lost, finds its copy.
  const [copyId] = useState(newId);
  return useMutation({
    mutationFn: async ({ id, name }: { id: string; name: string }) => {
      const answer = await supabase.rpc("duplicate_campaign", {
        p_id: id,
        p_name: name,
        p_copy_id: copyId,
      });
      if (answer.error) throw dataError(answer);
      return copiedCampaign.parse(answer.data);
    },
    onSettled: forget,
  });
}

/** Deletes a campaign, or archives it. */
export function useRemoveCampaign() {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: async ({ id, isArchived }: { id: string; isArchived: boolean }) => {
      const answer = await supabase.rpc("remove_campaign", { p_id: id, p_is_archived: isArchived });
      if (answer.error) throw dataError(answer);
    },
    // After a refusal too: what depends on it has changed.
    onSettled: forget,
  });
}

/** Archives campaigns, all or none. */
export function useArchiveCampaigns(orgId: string) {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: async (ids: string[]) => {
      const answer = await supabase.rpc("archive_campaigns", { p_org_id: orgId, p_ids: ids });
      if (answer.error) throw dataError(answer);
    },
    // After a refusal too: one of them may be gone.
    onSettled: forget,
  });
}

/** Takes a campaign out of the archive; it stays inactive. */
export function useRestoreCampaign() {
  const { supabase } = useApp();
  const forget = useForget();
  return useMutation({
    mutationFn: async (id: string) => {
      const answer = await supabase.rpc("restore_campaign", { p_id: id });
      if (answer.error) throw dataError(answer);
    },
    onSuccess: forget,
  });
}

/** Why no campaign was made (specification, section 8). */
export function creationFailure(error: unknown): string {
  if (error instanceof AppError && [NETWORK, ...CLOSED].includes(error.code)) {
    return errorMessage(error);
  }
  const own: Readonly<Record<string, string>> = {
    "23505": copy.exists,
    TV001: copy.limit,
    forbidden: copy.forbidden,
  };
  return (error instanceof AppError ? own[error.code] : undefined) ?? copy.fallback;
}
