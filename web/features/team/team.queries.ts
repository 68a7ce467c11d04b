import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { auditTrail, invitationPage, team, waitingInvitation } from "#domain/schemas/team.ts";
import { dataError, functionError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** First part of the keys of what the team changes. */
export const TEAM = "team";
export const AUDIT = "audit";

/** Members, invitations that wait, and seats. */
export function teamQuery(supabase: Supabase, orgId: string) {
  return queryOptions({
    queryKey: [TEAM, orgId],
    // The invitation may have been accepted meanwhile.
    staleTime: 0,
    queryFn: async () => {
      const answer = await supabase.rpc("team", { p_org_id: orgId });
      if (answer.error) throw dataError(answer);
      return team.parse(answer.data);
    },
  });
}

/** Filters of the trail, and the event from which its page begins. */
export type AuditView = {
  person: string | undefined;
  action: string | undefined;
  /** Entries older than this one, or newer than that one: never both. */
  before: string | undefined;
  after: string | undefined;
};

/** A page of who did what. */
export function auditQuery(supabase: Supabase, orgId: string, view: AuditView) {
  return queryOptions({
    queryKey: [AUDIT, orgId, view],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const answer = await supabase.rpc("audit_trail", {
        p_org_id: orgId,
        ...(view.person && { p_person_id: view.person }),
        ...(view.action && { p_action: view.action }),
        ...(view.before && { p_before: view.before }),
        ...(view.after && { p_after: view.after }),
      });
      if (answer.error) throw dataError(answer);
      return auditTrail.parse(answer.data);
    },
  });
}

/** Invitation behind a link's token. */
export function invitationQuery(supabase: Supabase, token: string) {
  return queryOptions({
    queryKey: ["invitation", token],
    staleTime: 0,
    queryFn: async () => {
      const { data, error } = await supabase.functions.invoke("invitation", { body: { token } });
      if (error) throw await functionError(error);
      return invitationPage.parse(data);
    },
  });
}

/** Pending invitation for the signed-in user's address. */
export function waitingInvitationQuery(supabase: Supabase) {
  return queryOptions({
    queryKey: ["invitation", "waiting"],
    staleTime: 0,
    queryFn: async () => {
      const answer = await supabase.rpc("waiting_invitation");
      if (answer.error) throw dataError(answer);
      return waitingInvitation.parse(answer.data);
    },
  });
}
