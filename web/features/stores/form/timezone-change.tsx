import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { type TimezoneChange, timezoneChange } from "#domain/schemas/timezone-change.ts";
import { useApp } from "../../../lib/app-context.ts";
import { dataError } from "../../../lib/app-error.ts";
import type { Supabase } from "../../../lib/supabase.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { STORES } from "../stores.queries.ts";
import { timezoneChangeCopy as copy } from "./timezone-change.copy.ts";

/** Campaigns that are named; the others are counted. */
const NAMED = 3;

/** Another time zone of a store. */
type Move = { storeId: string; timezone: string };

/** Effects of another time zone on the campaigns of a store at this moment. */
function timezoneChangeQuery(supabase: Supabase, { storeId, timezone }: Move) {
  return queryOptions({
    queryKey: [STORES, "timezone", storeId, timezone],
    queryFn: async () => {
      const answer = await supabase.rpc("timezone_change", {
        p_store_id: storeId,
        p_timezone: timezone,
      });
      if (answer.error) throw dataError(answer);
      return timezoneChange.parse(answer.data) ?? [];
    },
  });
}

/** Sentence on the campaigns that a new time zone stops or starts at once; null when there are none. */
function effectOf(change: NonNullable<TimezoneChange>, effect: "stops" | "starts"): string | null {
  const campaigns = change.filter((campaign) => campaign.effect === effect);
  const count = campaigns.length;
  if (count === 0) return null;
  const names = campaigns.flatMap(({ name }) => (name === null ? [] : [copy.name(name)]));
  if (names.length === 0) return copy[effect](copy.unnamed(count), count);
  const shown = names.slice(0, NAMED).join(", ");
  return copy[effect](count > NAMED ? `${shown} ${copy.others(count - NAMED)}` : shown, count);
}

/** Sentences on the campaigns that the move stops if it is saved now, or null. */
export async function stoppedBy(
  move: Move,
  { queryClient, supabase }: { queryClient: QueryClient; supabase: Supabase },
): Promise<string | null> {
  const change = await queryClient.fetchQuery(timezoneChangeQuery(supabase, move));
  const stops = effectOf(change, "stops");
  return stops && `${stops} ${copy.keep}`;
}

export type TimezoneEffectsProps = Move & {
  /** Sentences on what would stop, while that is asked. */
  stops: string | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Says what a new time zone does to the store's campaigns before it is saved, and asks before any stops. */
export function TimezoneEffects({ stops, onConfirm, onClose, ...move }: TimezoneEffectsProps) {
  const { supabase } = useApp();
  const { data = [] } = useQuery(timezoneChangeQuery(supabase, move));
  return (
    <>
      {data.length > 0 && (
        <Notice>
          <p>{copy.moves}</p>
          <p>{effectOf(data, "stops")}</p>
          <p>{effectOf(data, "starts")}</p>
        </Notice>
      )}
      {stops && (
        <ConfirmDialog
          title={copy.confirm}
          action={copy.save}
          onConfirm={onConfirm}
          onClose={onClose}
        >
          {stops}
        </ConfirmDialog>
      )}
    </>
  );
}
