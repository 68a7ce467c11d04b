import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { StoreRow } from "#domain/schemas/stores.ts";
import { useApp } from "../../../lib/app-context.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { StoreMissing } from "../store-missing.tsx";
import { storesCopy } from "../stores.copy.ts";
import { storeQuery } from "../stores.queries.ts";

type WithStoreProps = {
  storeId: string;
  /** Renders the store as it was read; `reload` reads it anew and begins from there. */
  children: (store: StoreRow, reload: () => void) => ReactNode;
};

/** Loads the store that a form is about, once: what others save meanwhile does not change the fields. */
export function WithStore({ storeId, children }: WithStoreProps) {
  const { supabase } = useApp();
  const query = useQuery(storeQuery(supabase, storeId));
  const [reloads, setReloads] = useState(0);
  if (query.data === null) return <StoreMissing />;
  if (query.isError && !query.data) {
    return (
      <LoadProblem
        text={loadFailure(query.error, storesCopy.loadFailed)}
        isRetrying={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  if (!query.data) return <ListSkeleton />;
  const reload = () => void query.refetch().then(() => setReloads(reloads + 1));
  return <div key={reloads}>{children(query.data, reload)}</div>;
}
