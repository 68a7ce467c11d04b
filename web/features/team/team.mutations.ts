import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type PermissionChoice, permissionsOf } from "#domain/rules/permissions.ts";
import { acceptedInvitation } from "#domain/schemas/team.ts";
import { useApp } from "../../lib/app-context.ts";
import { dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";
import { AUDIT, TEAM } from "./team.queries.ts";

type Answer = { error: { code?: string } | null; status: number };

/** A change of the team; afterwards, and after a refusal too, everything about it is refetched. */
function useTeamChange<Input>(change: (supabase: Supabase, input: Input) => PromiseLike<Answer>) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => {
      const { error, status } = await change(supabase, input);
      if (error) throw dataError({ error, status });
    },
    // Not awaited: the confirmation must not depend on a row that is about to go.
    onSettled: () => {
      for (const key of [TEAM, AUDIT, "workspace", "dashboard"]) {
        void queryClient.invalidateQueries({ queryKey: [key] });
      }
    },
  });
}

/** Role of a member, and the store of a till role; a blank store is all of them. */
export type Place = { role: string; storeId: string };

function place({ role, storeId }: Place) {
  return { p_role: role, ...(storeId && { p_store_id: storeId }) };
}

export function useInvite() {
  return useTeamChange((supabase, input: Place & { email: string }) =>
    supabase.rpc("invite_member", { p_email: input.email, ...place(input) }),
  );
}

export function useResendInvitation() {
  return useTeamChange((supabase, id: string) => supabase.rpc("resend_invitation", { p_id: id }));
}

export function useWithdrawInvitation() {
  return useTeamChange((supabase, id: string) => supabase.rpc("withdraw_invitation", { p_id: id }));
}

export function useChangeRole() {
  return useTeamChange((supabase, input: Place & { id: string }) =>
    supabase.rpc("change_member_role", { p_member_id: input.id, ...place(input) }),
  );
}

export function useRemoveMember() {
  return useTeamChange((supabase, id: string) =>
    supabase.rpc("remove_member", { p_member_id: id }),
  );
}

export function useTransferOwnership() {
  return useTeamChange((supabase, id: string) =>
    supabase.rpc("transfer_ownership", { p_member_id: id }),
  );
}

/** A role as it is filled in; without a role it is a new one. */
type RoleInput = { role?: string; name: string; description: string; choice: PermissionChoice };

/** Makes a role, or changes one. */
export function useSaveRole() {
  return useTeamChange((supabase, { role, name, description, choice }: RoleInput) =>
    supabase.rpc("save_role", {
      p_name: name,
      p_description: description,
      p_permissions: permissionsOf(choice),
      ...(role && { p_role: role }),
    }),
  );
}

/** Deletes a role without members. */
export function useDeleteRole() {
  return useTeamChange((supabase, role: string) => supabase.rpc("delete_role", { p_role: role }));
}

/** Leaves the team, and drops what was loaded of the organisation. */
export function useLeaveOrganization() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async () => {
      const answer = await supabase.rpc("leave_organization");
      if (answer.error) throw dataError(answer);
    },
  });
}

/** Joins the team that a link invites to. */
export function useAcceptInvitation() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async (token: string) => {
      const answer = await supabase.rpc("accept_invitation", { p_token: token });
      if (answer.error) throw dataError(answer);
      return acceptedInvitation.parse(answer.data);
    },
  });
}

/** The same by the invitation that waits for one's own confirmed address, without the link of its mail. */
export function useAcceptWaiting() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async (id: string) => {
      const answer = await supabase.rpc("accept_waiting_invitation", { p_id: id });
      if (answer.error) throw dataError(answer);
      return acceptedInvitation.parse(answer.data);
    },
  });
}
