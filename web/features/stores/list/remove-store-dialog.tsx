import type { StoreItem } from "#domain/schemas/stores.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { storesCopy } from "../stores.copy.ts";
import { useRemoveStore } from "../stores.mutations.ts";

const copy = storesCopy.remove;

/** The store got a history since the list was loaded. */
const HAS_HISTORY = "TV140";

type RemoveStoreDialogProps = {
  store: Pick<StoreItem, "id" | "name" | "has_history" | "campaigns" | "active_campaigns">;
  isLast: boolean;
  onClose: () => void;
};

/** Says whether a store will be deleted or archived, what stops with it, and whether it is the last. */
export function RemoveStoreDialog({ store, isLast, onClose }: RemoveStoreDialogProps) {
  const { id, name, has_history: isArchived } = store;
  const remove = useRemoveStore();
  const problem = remove.isError
    ? errorMessage(remove.error, { [HAS_HISTORY]: copy.changed, forbidden: copy.forbidden })
    : null;
  return (
    <ConfirmDialog
      title={isArchived ? copy.archiveTitle(name) : copy.deleteTitle(name)}
      action={isArchived ? copy.archive : copy.delete}
      busy={remove.isPending}
      problem={problem}
      onConfirm={() => remove.mutate({ id, isArchived }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <div className="grid gap-3">
        {isArchived ? (
          <>
            <p>{copy.history(store.campaigns)}</p>
            {store.active_campaigns > 0 && <p>{copy.stops(store.active_campaigns)}</p>}
            <p>{copy.keeps}</p>
          </>
        ) : (
          <p>{copy.deleteText}</p>
        )}
        {isLast && <p className="font-semibold text-ink">{copy.last}</p>}
      </div>
    </ConfirmDialog>
  );
}
