import { Link } from "@tanstack/react-router";
import { ArchiveRestore, ChartColumn, Pencil, Settings, Trash2 } from "lucide-react";
import { useState } from "react";
import type { StoreItem } from "#domain/schemas/stores.ts";
import { AppError, errorMessage } from "../../../lib/app-error.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { MENU_ITEM, Menu } from "../../../ui/menu.tsx";
import { WayToPlans } from "../../../ui/plans/way-to-plans.tsx";
import { storesCopy } from "../stores.copy.ts";
import { useUnarchiveStore } from "../stores.mutations.ts";
import { RemoveStoreDialog } from "./remove-store-dialog.tsx";

const copy = storesCopy.actions;

/** Actions on a store that the reader's permissions allow. */
export function StoreMenu({ store, isLast }: { store: StoreItem; isLast: boolean }) {
  const { may } = useMay();
  const [isRemoving, setIsRemoving] = useState(false);
  const unarchive = useUnarchiveStore();
  const canWrite = may("stores.write");
  const params = { storeId: store.id };
  return (
    <div className="grid justify-items-end gap-2">
      <Menu label={copy.menu(store.name)}>
        {canWrite && (
          <>
            <Link role="menuitem" to="/stores/$storeId/edit" params={params} className={MENU_ITEM}>
              <Pencil aria-hidden="true" className="size-5" />
              {copy.edit}
            </Link>
            <Link
              role="menuitem"
              to="/stores/$storeId/settings"
              params={params}
              className={MENU_ITEM}
            >
              <Settings aria-hidden="true" className="size-5" />
              {copy.settings}
            </Link>
          </>
        )}
        <Link role="menuitem" to="/stores/$storeId/stats" params={params} className={MENU_ITEM}>
          <ChartColumn aria-hidden="true" className="size-5" />
          {copy.stats}
        </Link>
        {canWrite && store.archived_at && (
          <button
            type="button"
            role="menuitem"
            className={MENU_ITEM}
            onClick={() => unarchive.mutate(store.id)}
          >
            <ArchiveRestore aria-hidden="true" className="size-5" />
            {copy.unarchive}
          </button>
        )}
        {may("stores.delete") && !store.archived_at && (
          <button
            type="button"
            role="menuitem"
            className={`${MENU_ITEM} text-coral-ink`}
            onClick={() => setIsRemoving(true)}
          >
            <Trash2 aria-hidden="true" className="size-5" />
            {copy.remove}
          </button>
        )}
      </Menu>
      {unarchive.isError && (
        <Alert>
          <p>{unarchiveFailure(unarchive.error)}</p>
          <WayToPlans error={unarchive.error} />
        </Alert>
      )}
      {isRemoving && (
        <RemoveStoreDialog store={store} isLast={isLast} onClose={() => setIsRemoving(false)} />
      )}
    </div>
  );
}

function unarchiveFailure(error: Error): string {
  const isLimit = error instanceof AppError && error.code === "TV003";
  return isLimit ? storesCopy.unarchiveLimit : errorMessage(error);
}
