import { queryOptions, useQuery } from "@tanstack/react-query";
import { type Workspace, workspace } from "#domain/schemas/workspace.ts";
import { useApp } from "./app-context.ts";
import { dataError } from "./app-error.ts";
import type { Supabase } from "./supabase.ts";

/** Organisation, role, permissions, stores and plan of the signed-in person: what every screen starts from. */
export function workspaceQuery(supabase: Supabase) {
  return queryOptions({
    queryKey: ["workspace"],
    queryFn: async () => {
      const answer = await supabase.rpc("my_workspace");
      if (answer.error) throw dataError(answer);
      return workspace.parse(answer.data);
    },
  });
}

/** The same for a component below a guard that has loaded it; undefined once it is forgotten. */
export function useWorkspace(): Workspace | undefined {
  const { supabase } = useApp();
  return useQuery(workspaceQuery(supabase)).data;
}

/** Whether a bill of an organisation's plan waits to be paid, which would open its pages again. */
export function isUnpaid(plan: { status: string } | null | undefined): boolean {
  return plan?.status === "suspended" || plan?.status === "past_due";
}
