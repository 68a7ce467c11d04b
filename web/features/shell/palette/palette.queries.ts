import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { foundThings } from "#domain/schemas/found-things.ts";
import { dataError } from "../../../lib/app-error.ts";
import type { Supabase } from "../../../lib/supabase.ts";

/** Query of the things that a text means; one that was overtaken by the next letter is given up. */
export function findQuery(supabase: Supabase, text: string) {
  return queryOptions({
    queryKey: ["found", text],
    queryFn: async ({ signal }) => {
      const answer = await supabase
        .rpc("find_anything", { p_query: text, p_limit: 5 })
        .abortSignal(signal);
      if (answer.error) throw dataError(answer);
      return foundThings.parse(answer.data);
    },
    enabled: text !== "",
    placeholderData: keepPreviousData,
    // Names change and customers come: what was found is not old for long.
    staleTime: 30_000,
  });
}
