import { queryOptions } from "@tanstack/react-query";
import { workspace } from "#domain/journey.ts";
import { dataError } from "./app-error.ts";
import type { Supabase } from "./supabase.ts";

/** Organisation, role, permissions and stores of the signed-in person: what every screen starts from. */
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
