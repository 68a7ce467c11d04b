import { Link, useNavigate } from "@tanstack/react-router";
import { ArchiveRestore, ChartColumn, Copy, Pencil, Printer, QrCode, Trash2 } from "lucide-react";
import { useState } from "react";
import type { CampaignItem } from "#domain/schemas/back-office.ts";
import { AppError, errorMessage } from "../../../lib/app-error.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { MENU_ITEM, Menu } from "../../../ui/menu.tsx";
import { campaignsCopy } from "../campaigns.copy.ts";
import {
  useDuplicateCampaign,
  useRemoveCampaign,
  useRestoreCampaign,
} from "../campaigns.mutations.ts";
import { postersCopy } from "../posters/posters.copy.ts";
import { PostersDialog } from "../posters/posters-dialog.tsx";

const copy = campaignsCopy.menu;
const removeCopy = campaignsCopy.remove;

/** Actions on a campaign that the reader's permissions allow (specification, section 2.13). */
export function CampaignMenu(props: { campaign: CampaignItem; onShowQr: () => void }) {
  const { campaign, onShowQr } = props;
  const { may, mayOpen } = useMay();
  const [isRemoving, setIsRemoving] = useState(false);
  const [isPrinting, setIsPrinting] = useState(false);
  const navigate = useNavigate();
  const duplicate = useDuplicateCampaign();
  const restore = useRestoreCampaign();
  // A copy comes with its rewards.
  const canCopy = may("campaigns.write") && may("rewards.write");
  const isArchived = campaign.archived_at !== null;
  const params = { campaignId: campaign.id };
  const onDuplicate = () => {
    if (duplicate.isPending) return;
    duplicate.mutate(
      { id: campaign.id, name: copy.copyOf(campaign.name) },
      {
        onSuccess: ({ id }) =>
          void navigate({ to: "/campaigns/$campaignId/edit", params: { campaignId: id } }),
      },
    );
  };
  return (
    <div className="grid justify-items-end gap-2">
      <Menu label={copy.label(campaign.name)}>
        <Link role="menuitem" to="/campaigns/$campaignId" params={params} className={MENU_ITEM}>
          <ChartColumn aria-hidden="true" className="size-5" />
          {copy.stats}
        </Link>
        {mayOpen("/campaigns/$campaignId/edit") && !isArchived && (
          <Link
            role="menuitem"
            to="/campaigns/$campaignId/edit"
            params={params}
            className={MENU_ITEM}
          >
            <Pencil aria-hidden="true" className="size-5" />
            {copy.edit}
          </Link>
        )}
        {canCopy && (
          <button type="button" role="menuitem" className={MENU_ITEM} onClick={onDuplicate}>
            <Copy aria-hidden="true" className="size-5" />
            {copy.duplicate}
          </button>
        )}
        {!isArchived && (
          <button type="button" role="menuitem" className={MENU_ITEM} onClick={onShowQr}>
            <QrCode aria-hidden="true" className="size-5" />
            {campaignsCopy.list.qr}
          </button>
        )}
        {!isArchived && (
          <button
            type="button"
            role="menuitem"
            className={MENU_ITEM}
            onClick={() => setIsPrinting(true)}
          >
            <Printer aria-hidden="true" className="size-5" />
            {postersCopy.action}
          </button>
        )}
        {may("campaigns.write") && isArchived && (
          <button
            type="button"
            role="menuitem"
            className={MENU_ITEM}
            onClick={() => restore.mutate(campaign.id)}
          >
            <ArchiveRestore aria-hidden="true" className="size-5" />
            {copy.restore}
          </button>
        )}
        {may("campaigns.delete") && !isArchived && (
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
      {duplicate.isError && <Alert>{failure(duplicate.error, copy.duplicateFailed)}</Alert>}
      {restore.isError && <Alert>{failure(restore.error, copy.restoreFailed)}</Alert>}
      {isPrinting && <PostersDialog campaign={campaign} onClose={() => setIsPrinting(false)} />}
      {isRemoving && (
        <RemoveCampaignDialog campaign={campaign} onClose={() => setIsRemoving(false)} />
      )}
    </div>
  );
}

function failure(error: Error, sentence: string): string {
  return error instanceof AppError && error.code === "forbidden" ? copy.forbidden : sentence;
}

/** Conflict: a customer took part since the list was loaded. */
const HAS_HISTORY = "TV067";

type RemoveCampaignDialogProps = { campaign: CampaignItem; onClose: () => void };

/** Says whether a campaign will be deleted or archived, and what goes with it, before either is done. */
function RemoveCampaignDialog({ campaign, onClose }: RemoveCampaignDialogProps) {
  const { id, name, slug, active, rewards, has_history: isArchived } = campaign;
  const remove = useRemoveCampaign();
  const problem = remove.isError
    ? errorMessage(remove.error, {
        [HAS_HISTORY]: removeCopy.changed,
        forbidden: removeCopy.forbidden,
      })
    : null;
  return (
    <ConfirmDialog
      title={isArchived ? removeCopy.archiveTitle(name) : removeCopy.deleteTitle(name)}
      action={isArchived ? removeCopy.archive : removeCopy.delete}
      busy={remove.isPending}
      problem={problem}
      onConfirm={() => remove.mutate({ id, isArchived }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <div className="grid gap-3">
        {isArchived ? (
          <>
            <p>{removeCopy.history}</p>
            {active && <p>{removeCopy.stops}</p>}
            <p>{removeCopy.keeps}</p>
          </>
        ) : (
          <>
            <p>{removeCopy.deleted(rewards)}</p>
            <p>{removeCopy.address(slug)}</p>
          </>
        )}
      </div>
    </ConfirmDialog>
  );
}
