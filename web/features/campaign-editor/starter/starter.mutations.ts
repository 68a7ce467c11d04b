import { useMutation, useQueryClient } from "@tanstack/react-query";
import { startedCampaign } from "#domain/schemas/campaigns.ts";
import { suggestSlug } from "#domain/text/slugify.ts";
import { useApp } from "../../../lib/app-context.ts";
import {
  AppError,
  CLOSED,
  dataError,
  errorMessage,
  FORBIDDEN,
  NETWORK,
} from "../../../lib/app-error.ts";
import { translatedProposal } from "../../../lib/translated-proposal.ts";
import { starterCopy } from "./starter.copy.ts";
import { type StarterValues, toSegments } from "./starter.schema.ts";

/** A campaign to be made. */
type Start = {
  /** Chosen here: a second try with it makes no second campaign. */
  id: string;
  store: { id: string; name: string };
  name: string;
  wheel: StarterValues;
};

/** Makes an active campaign with its prizes and its wheel, all of it or nothing; answers its identifier. */
export function useStartCampaign() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, store, name, wheel }: Start) => {
      const answer = await supabase.rpc("start_campaign", {
        p_id: id,
        p_store_id: store.id,
        p_name: name,
        p_slug: suggestSlug(store.name),
        p_active: true,
        p_segments: await translatedProposal(toSegments(wheel)),
      });
      if (answer.error) throw dataError(answer);
      return startedCampaign.parse(answer.data).id;
    },
    onSettled: () => {
      for (const key of ["campaigns", "dashboard", "workspace", "rewards", "stores"]) {
        void queryClient.invalidateQueries({ queryKey: [key] });
      }
    },
  });
}

const { failed } = starterCopy;

const REASONS: Readonly<Record<string, string>> = {
  TV001: failed.limit,
  TV060: failed.store,
  "23505": failed.name,
};

/** Codes whose general sentence says what to do. */
const GENERAL: readonly string[] = [NETWORK, FORBIDDEN, ...CLOSED];

/** Why no campaign was made. */
export function startFailure(error: unknown): string {
  if (!(error instanceof AppError)) return failed.other;
  if (GENERAL.includes(error.code)) return errorMessage(error);
  return REASONS[error.code] ?? failed.other;
}
