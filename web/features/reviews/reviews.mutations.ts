import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  type AnswerTemplate,
  type ReviewDetail,
  reviewClaim,
  reviewHandled,
} from "#domain/schemas/reviews.ts";
import { useApp } from "../../lib/app-context.ts";
import { dataError } from "../../lib/app-error.ts";
import { REVIEWS } from "./reviews.queries.ts";

/** Has the lists, the number in the navigation and the dashboard asked for anew. */
function useRenewal() {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: ["dashboard"] });
    // The number in the navigation.
    void queryClient.invalidateQueries({ queryKey: ["workspace"] });
    return queryClient.invalidateQueries({ queryKey: [REVIEWS] });
  };
}

type Answer = {
  /** Made once a text, so that a repeat after a lost answer sends nothing twice. */
  requestId: string;
  version: number;
  body: string;
  /** Reward that a code is given for, with the answer. */
  rewardId: string | null;
};

/** Sends an answer; a refusal by the rules is an answer, not an error. */
export function useAnswerReview(id: string) {
  const { supabase } = useApp();
  const renew = useRenewal();
  return useMutation({
    mutationFn: async ({ requestId, version, body, rewardId }: Answer) => {
      const answer = await supabase.rpc("answer_review", {
        p_id: id,
        p_version: version,
        p_body: body,
        p_request_id: requestId,
        ...(rewardId && { p_reward_id: rewardId }),
      });
      if (answer.error) throw dataError(answer);
      return reviewHandled.parse(answer.data);
    },
    onSuccess: renew,
  });
}

type Gesture = Pick<Answer, "requestId" | "version"> & { rewardId: string };

/** Gives a code without a mail; a refusal by the rules is an answer, not an error. */
export function useGiveCode(id: string) {
  const { supabase } = useApp();
  const renew = useRenewal();
  return useMutation({
    mutationFn: async ({ requestId, version, rewardId }: Gesture) => {
      const answer = await supabase.rpc("give_goodwill_code", {
        p_id: id,
        p_version: version,
        p_reward_id: rewardId,
        p_request_id: requestId,
      });
      if (answer.error) throw dataError(answer);
      return reviewHandled.parse(answer.data);
    },
    onSuccess: renew,
  });
}

type Handling = { id: string; version: number; state: "open" | "answered" | "closed" | "none" };

/** Says what became of a review; a refusal by the rules is an answer, not an error. */
export function useHandleReview() {
  const { supabase } = useApp();
  const renew = useRenewal();
  return useMutation({
    mutationFn: async ({ id, version, state }: Handling) => {
      const answer = await supabase.rpc("set_review_state", {
        p_id: id,
        p_version: version,
        p_state: state,
      });
      if (answer.error) throw dataError(answer);
      return reviewHandled.parse(answer.data);
    },
    onSuccess: renew,
  });
}

/** Takes a review off what is to be read, or puts it back. */
export function useMarkReview(id: string) {
  const { supabase } = useApp();
  const renew = useRenewal();
  return useMutation({
    mutationFn: async (isSeen: boolean) => {
      const answer = await supabase.rpc("mark_review_seen", {
        p_review_id: id,
        p_is_seen: isSeen,
      });
      if (answer.error) throw dataError(answer);
    },
    onSuccess: renew,
  });
}

/** Assigns a review to a colleague, or unassigns it. */
export function useAssignReview(id: string) {
  const { supabase } = useApp();
  const renew = useRenewal();
  return useMutation({
    mutationFn: async (userId: string | null) => {
      const answer = await supabase.rpc("assign_review", {
        p_id: id,
        ...(userId && { p_colleague_id: userId }),
      });
      if (answer.error) throw dataError(answer);
    },
    onSuccess: renew,
  });
}

/** Adds a note of the team, once for a request. */
export function useNoteReview(id: string) {
  const { supabase } = useApp();
  const renew = useRenewal();
  return useMutation({
    mutationFn: async ({ body, requestId }: { body: string; requestId: string }) => {
      const answer = await supabase.rpc("note_review", {
        p_id: id,
        p_body: body,
        p_request_id: requestId,
      });
      if (answer.error) throw dataError(answer);
    },
    onSuccess: renew,
  });
}

/** Says that an answer is being written, or no longer; answers the colleague who is before one. */
export function useClaimReview({ id }: Pick<ReviewDetail, "id">) {
  const { supabase } = useApp();
  return useMutation({
    // Claims go one after the other: a form that is shut at once releases what it has taken.
    scope: { id: `claim ${id}` },
    mutationFn: async (hold: "take" | "force" | "release") => {
      const answer = await supabase.rpc("claim_review", { p_id: id, p_hold: hold });
      if (answer.error) throw dataError(answer);
      return reviewClaim.parse(answer.data);
    },
  });
}

/** Keeps the organisation's own templates; null goes back to the given ones. */
export function useSaveTemplates(orgId: string) {
  const { supabase } = useApp();
  const renew = useRenewal();
  return useMutation({
    mutationFn: async (templates: readonly AnswerTemplate[] | null) => {
      const answer = await supabase.rpc("save_answer_templates", {
        p_org_id: orgId,
        ...(templates && { p_templates: templates.map(({ name, body }) => ({ name, body })) }),
      });
      if (answer.error) throw dataError(answer);
    },
    onSuccess: renew,
  });
}
