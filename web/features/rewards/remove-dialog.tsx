import type { RewardItem } from "#domain/schemas/rewards.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { rewardsCopy } from "./rewards.copy.ts";
import { useRemoveReward } from "./rewards.mutations.ts";

const copy = rewardsCopy.remove;

/** The reward got a history since the list was loaded. */
const HAS_HISTORY = "TV040";

type RemoveDialogProps = { reward: RewardItem; onClose: () => void };

/** Says whether a reward will be deleted or archived, and why, before either is done. */
export function RemoveDialog({ reward, onClose }: RemoveDialogProps) {
  const { id, name, is_won, slices } = reward;
  const remove = useRemoveReward();
  const isArchived = is_won || slices > 0;
  return (
    <ConfirmDialog
      title={isArchived ? copy.archiveTitle(name) : copy.deleteTitle(name)}
      action={isArchived ? copy.archive : copy.delete}
      busy={remove.isPending}
      problem={remove.isError ? errorMessage(remove.error, { [HAS_HISTORY]: copy.changed }) : null}
      onConfirm={() => remove.mutate({ id, isArchived }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {isArchived ? (
        <div className="grid gap-3">
          {is_won && <p>{copy.won}</p>}
          {slices > 0 && <p>{copy.onWheel}</p>}
          <p>{copy.consequence}</p>
        </div>
      ) : (
        <p>{copy.deleteText}</p>
      )}
    </ConfirmDialog>
  );
}
