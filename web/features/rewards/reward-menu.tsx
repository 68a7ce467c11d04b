import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChartColumn, Pencil, Share2, Trash2 } from "lucide-react";
import { useState } from "react";
import type { RewardItem } from "#domain/schemas/rewards.ts";
import { useApp } from "../../lib/app-context.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { useMay } from "../../lib/use-may.ts";
import { Button, ButtonRow } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { NamedOptions } from "../../ui/forms/named-options.tsx";
import { SelectField } from "../../ui/forms/select-field.tsx";
import { MENU_ITEM, Menu } from "../../ui/menu.tsx";
import { LoadProblem } from "../../ui/states/load-problem.tsx";
import { uiCopy } from "../../ui/ui.copy.ts";
import { rewardsCopy } from "./rewards.copy.ts";
import { useRemoveReward } from "./rewards.mutations.ts";
import { wheelChoicesQuery } from "./rewards.queries.ts";

const { actions: copy, share } = rewardsCopy;

/** Actions on a reward that the reader's permissions allow. */
export function RewardMenu({ orgId, reward }: { orgId: string; reward: RewardItem }) {
  const { id, name } = reward;
  const [isRemoving, setIsRemoving] = useState(false);
  const [isSharing, setIsSharing] = useState(false);
  const { may, mayOpen } = useMay();
  const canRemove = may("rewards.delete") && !reward.archived_at;
  const params = { rewardId: id };
  return (
    <>
      <Menu label={copy.menu(name)}>
        {mayOpen("/rewards/$rewardId/edit") && (
          <Link role="menuitem" to="/rewards/$rewardId/edit" params={params} className={MENU_ITEM}>
            <Pencil aria-hidden="true" className="size-5" />
            {copy.edit}
          </Link>
        )}
        <Link role="menuitem" to="/rewards/$rewardId/stats" params={params} className={MENU_ITEM}>
          <ChartColumn aria-hidden="true" className="size-5" />
          {copy.stats}
        </Link>
        {mayOpen("/campaigns/$campaignId/edit") && !reward.archived_at && (
          <button
            type="button"
            role="menuitem"
            onClick={() => setIsSharing(true)}
            className={MENU_ITEM}
          >
            <Share2 aria-hidden="true" className="size-5" />
            {share.menu}
          </button>
        )}
        {canRemove && (
          <button
            type="button"
            role="menuitem"
            onClick={() => setIsRemoving(true)}
            className={`${MENU_ITEM} text-coral-ink`}
          >
            <Trash2 aria-hidden="true" className="size-5" />
            {copy.remove}
          </button>
        )}
      </Menu>
      {isSharing && (
        <ShareDialog orgId={orgId} reward={reward} onClose={() => setIsSharing(false)} />
      )}
      {isRemoving && <RemoveDialog reward={reward} onClose={() => setIsRemoving(false)} />}
    </>
  );
}

type ShareDialogProps = { orgId: string; reward: RewardItem; onClose: () => void };

/** Chooses another campaign for a reward and leads to its wheel, where the odds are seen before anything is saved. */
function ShareDialog({ orgId, reward, onClose }: ShareDialogProps) {
  const { supabase } = useApp();
  const [chosen, setChosen] = useState("");
  const campaigns = useQuery(wheelChoicesQuery(supabase, orgId));
  const taken = [reward.campaign_id, ...reward.shared_with.map(({ id }) => id)];
  const choices = campaigns.data?.filter(({ id }) => !taken.includes(id));
  const campaignId = chosen || choices?.[0]?.id;
  return (
    <Dialog title={share.title(reward.name)} onClose={onClose}>
      <p className="text-pretty text-muted">{share.text}</p>
      {campaigns.isError && !campaigns.data && (
        <LoadProblem
          text={share.loadFailed}
          onRetry={() => campaigns.refetch()}
          isRetrying={campaigns.isFetching}
        />
      )}
      {choices?.length === 0 && <p className="text-pretty">{share.none}</p>}
      {choices && choices.length > 0 && (
        <SelectField label={share.campaign} value={campaignId} onChange={setChosen}>
          <NamedOptions of={choices} />
        </SelectField>
      )}
      <ButtonRow>
        <Button variant="secondary" onClick={onClose}>
          {uiCopy.cancel}
        </Button>
        {campaignId && (
          <Link
            to="/campaigns/$campaignId/edit"
            params={{ campaignId }}
            search={{ reward: reward.id }}
            className={buttonClass()}
          >
            {share.action}
          </Link>
        )}
      </ButtonRow>
    </Dialog>
  );
}

/** The reward got a history since the list was loaded. */
const HAS_HISTORY = "TV040";

type RemoveDialogProps = { reward: RewardItem; onClose: () => void };

/** Says whether a reward will be deleted or archived, and why, before either is done. */
function RemoveDialog({ reward, onClose }: RemoveDialogProps) {
  const { id, name, is_won, segments, shared_with } = reward;
  const remove = useRemoveReward();
  const isArchived = is_won || segments > 0;
  return (
    <ConfirmDialog
      title={
        isArchived ? rewardsCopy.remove.archiveTitle(name) : rewardsCopy.remove.deleteTitle(name)
      }
      action={isArchived ? rewardsCopy.remove.archive : rewardsCopy.remove.delete}
      busy={remove.isPending}
      problem={
        remove.isError
          ? errorMessage(remove.error, { [HAS_HISTORY]: rewardsCopy.remove.changed })
          : null
      }
      onConfirm={() => remove.mutate({ id, isArchived }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {isArchived ? (
        <div className="grid gap-3">
          {is_won && <p>{rewardsCopy.remove.won}</p>}
          {segments > 0 && <p>{rewardsCopy.remove.onWheel}</p>}
          {shared_with.length > 0 && (
            <p>{rewardsCopy.remove.shared(shared_with.map((one) => one.name))}</p>
          )}
          <p>{rewardsCopy.remove.consequence}</p>
        </div>
      ) : (
        <p>{rewardsCopy.remove.deleteText}</p>
      )}
    </ConfirmDialog>
  );
}
