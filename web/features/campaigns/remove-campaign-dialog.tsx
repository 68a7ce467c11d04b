import type { CampaignItem } from "#domain/schemas/back-office.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { campaignsCopy } from "./campaigns.copy.ts";
import { useRemoveCampaign } from "./campaigns.mutations.ts";

const copy = campaignsCopy.remove;

/** Conflict: somebody took part since the list was loaded. */
const HAS_HISTORY = "TV067";

type RemoveCampaignDialogProps = { campaign: CampaignItem; onClose: () => void };

/** Says whether a campaign will be deleted or archived, and what goes with it, before either is done. */
export function RemoveCampaignDialog({ campaign, onClose }: RemoveCampaignDialogProps) {
  const { id, name, slug, active, rewards, has_history: isArchived } = campaign;
  const remove = useRemoveCampaign();
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
            <p>{copy.history}</p>
            {active && <p>{copy.stops}</p>}
            <p>{copy.keeps}</p>
          </>
        ) : (
          <>
            <p>{copy.deleted(rewards)}</p>
            <p>{copy.address(slug)}</p>
          </>
        )}
      </div>
    </ConfirmDialog>
  );
}
