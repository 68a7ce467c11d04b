import { useMutation, useQueryClient } from "@tanstack/react-query";
import { suggestSlug } from "#domain/slugify.ts";
import { useApp } from "../../lib/app-context.ts";
import { AppError, dataError, errorMessage, NETWORK } from "../../lib/app-error.ts";
import type { CampaignForm } from "./campaign.schema.ts";
import { campaignsCopy } from "./campaigns.copy.ts";
import { dayEnd, dayStart } from "./days.ts";

const copy = campaignsCopy.create.failed;

/** Adds a campaign; the database gives its slug a suffix where another merchant has it. */
export function useCreateCampaign(orgId: string) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, description, storeId, startsOn, endsOn, active }: CampaignForm) => {
      const answer = await supabase.from("campaigns").insert({
        org_id: orgId,
        store_id: storeId,
        name,
        slug: suggestSlug(name),
        description: description || null,
        active,
        starts_at: dayStart(startsOn),
        ends_at: dayEnd(endsOn),
      });
      if (answer.error) throw dataError(answer);
    },
    onSettled: () => {
      for (const key of ["campaigns", "dashboard", "workspace"]) {
        void queryClient.invalidateQueries({ queryKey: [key] });
      }
    },
  });
}

/** Why no campaign was made (specification, section 8). */
export function creationFailure(error: unknown): string {
  if (error instanceof AppError && error.code === NETWORK) return errorMessage(error);
  const own: Readonly<Record<string, string>> = {
    "23505": copy.exists,
    TV001: copy.limit,
    forbidden: copy.forbidden,
  };
  return (error instanceof AppError ? own[error.code] : undefined) ?? copy.fallback;
}
