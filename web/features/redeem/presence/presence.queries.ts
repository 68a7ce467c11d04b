import { queryOptions } from "@tanstack/react-query";
import { type PresenceBoard, presenceBoard } from "#domain/schemas/presence.ts";
import { dataError } from "../../../lib/app-error.ts";
import type { Supabase } from "../../../lib/supabase.ts";

/** Codes of five minutes are fetched anew this often, so that a network that is lost for a while shows nowhere. */
const REFRESH_MS = 120_000;

/** Board of the store, and the time of its answer, by a clock that the user cannot set. */
export type ShownBoard = PresenceBoard & { at: number };

/** Query of the board that the till of a store shows. */
export function presenceBoardQuery(supabase: Supabase, storeId: string) {
  return queryOptions({
    queryKey: ["presence", storeId],
    queryFn: async (): Promise<ShownBoard> => {
      const answer = await supabase.rpc("presence_board", { p_store_id: storeId });
      if (answer.error) throw dataError(answer);
      return { ...presenceBoard.parse(answer.data), at: performance.now() };
    },
    refetchInterval: ({ state }) => (state.data?.campaigns.length ? REFRESH_MS : false),
    staleTime: 0,
    // A hidden page asks for nothing: its code may be over when it is looked at again.
    refetchOnWindowFocus: true,
  });
}
