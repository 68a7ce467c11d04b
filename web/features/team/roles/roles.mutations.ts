import { type PermissionChoice, permissionsOf } from "#domain/rules/permissions.ts";
import { useTeamChange } from "../team.mutations.ts";

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

/** Deletes a role that nobody has. */
export function useDeleteRole() {
  return useTeamChange((supabase, role: string) => supabase.rpc("delete_role", { p_role: role }));
}
