import { queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { dataError } from "./app-error.ts";
import type { Supabase } from "./supabase.ts";

/** Answer of the SQL function `my_workspace`: what every screen starts from. */
const workspace = z.object({
  organization: z.nullable(z.object({ id: z.guid(), name: z.string(), slug: z.string() })),
  role: z.nullable(z.string()),
  permissions: z.array(z.string()),
  stores: z.array(z.object({ id: z.guid(), name: z.string() })),
});
export type Workspace = z.infer<typeof workspace>;

/** Organisation, role, permissions and stores of the signed-in person. */
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
