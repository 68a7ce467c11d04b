import { Link } from "@tanstack/react-router";
import {
  Archive,
  ChartColumn,
  CircleAlert,
  CircleCheck,
  CirclePause,
  Coins,
  Gift,
  type LucideIcon,
  Pencil,
  Plus,
  Share2,
  Ticket,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import { PRIZE_DRAWINGS } from "#domain/rules/prize-pictures.ts";
import type { RewardType } from "#domain/schemas/reward-type.ts";
import type { RewardItem } from "#domain/schemas/rewards.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { useMay } from "../../lib/use-may.ts";
import { Alert } from "../../ui/alert.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Switch } from "../../ui/forms/switch.tsx";
import { MENU_ITEM, Menu } from "../../ui/menu.tsx";
import { PrizePicture } from "../../ui/prize-picture.tsx";
import { RewardFacts } from "./reward-facts.tsx";
import { rewardsCopy } from "./rewards.copy.ts";
import { useRemoveReward, useSetActive, useUnarchive } from "./rewards.mutations.ts";
import { ShareDialog } from "./share-dialog.tsx";

/** Icons of the types, for rewards without a picture. */
const REWARD_ICONS: Readonly<Record<RewardType, LucideIcon>> = {
  coupon: Ticket,
  gift: Gift,
  points: Coins,
};

const { actions: copy } = rewardsCopy;

/** A reward on a phone. */
export function RewardCard({ orgId, reward }: { orgId: string; reward: RewardItem }) {
  const { name, type, picture } = reward;
  const { may } = useMay();
  const state = useRewardState(reward);
  const Icon = REWARD_ICONS[type];

  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <span
          aria-hidden="true"
          className="grid size-12 shrink-0 place-items-center rounded-card bg-violet-soft text-violet"
        >
          {picture ? (
            <PrizePicture drawing={PRIZE_DRAWINGS[picture]} className="size-7" />
          ) : (
            <Icon className="size-6" />
          )}
        </span>
        <div className="grid min-w-0 flex-1 basis-52 gap-1.5">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="min-w-0 text-xl break-words">{name}</h2>
            <Badge tone="violet">{rewardsCopy.types[type]}</Badge>
            {!(may("rewards.write") && reward.archived_at === null) && (
              <StateBadge reward={reward} />
            )}
          </div>
          <p className="text-muted wrap-anywhere">
            <span className="sr-only">{rewardsCopy.facts.campaign} : </span>
            <span>{reward.campaign_name ?? rewardsCopy.deletedCampaign}</span>
            {reward.shared_with.length > 0 && (
              <>
                {" · "}
                <span>{rewardsCopy.sharedWith(reward.shared_with.map((one) => one.name))}</span>
              </>
            )}
            {type !== "points" && (
              <span className="block">
                <span className="sr-only">{rewardsCopy.facts.template} : </span>
                <code className="font-sans font-medium text-ink">
                  {reward.code_template ?? rewardsCopy.defaultTemplate}
                </code>
              </span>
            )}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-1 group-data-selecting/cards:hidden max-sm:w-full">
          {may("rewards.write") && <RewardState state={state} reward={reward} hasWord />}
          <CodesLink reward={reward} variant="secondary" />
          <RewardMenu orgId={orgId} reward={reward} />
        </div>
      </div>
      {reward.is_off_wheel && <OffWheel reward={reward} />}
      <RewardFacts reward={reward} />
      {state.problem && <Alert>{state.problem}</Alert>}
    </div>
  );
}

type CodesLinkProps = { reward: RewardItem; variant: "secondary" | "quiet" };

/** The way to the codes of a reward, for whoever may see them. */
export function CodesLink({ reward: { id, name }, variant }: CodesLinkProps) {
  if (!useMay().mayOpen("/rewards/$rewardId/codes")) return null;
  return (
    <Link
      to="/rewards/$rewardId/codes"
      params={{ rewardId: id }}
      aria-label={copy.codesOf(name)}
      className={buttonClass({ variant })}
    >
      <Ticket aria-hidden="true" className="size-5" />
      {copy.codes}
    </Link>
  );
}

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
            {rewardsCopy.share.menu}
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

/** A reward that no segment wins, and the way onto the wheel: nothing changes there before its odds were seen. */
export function OffWheel({ reward: { id, name, campaign_id } }: { reward: RewardItem }) {
  const mayPlace = useMay().mayOpen("/campaigns/$campaignId/edit");
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-field bg-sun-soft px-4 py-2 text-sun-ink">
      <p className="flex min-h-11 items-center gap-2 font-medium">
        <CircleAlert aria-hidden="true" className="size-5 shrink-0" />
        {rewardsCopy.offWheel}
      </p>
      {campaign_id && mayPlace && (
        <Link
          to="/campaigns/$campaignId/edit"
          params={{ campaignId: campaign_id }}
          search={{ reward: id }}
          aria-label={rewardsCopy.toWheelOf(name)}
          className={`${buttonClass({ variant: "secondary" })} group-data-selecting/cards:hidden`}
        >
          <Plus aria-hidden="true" className="size-5" />
          {rewardsCopy.toWheel}
        </Link>
      )}
    </div>
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

type RewardStateProps = {
  reward: RewardItem;
  state: ReturnType<typeof useRewardState>;
  /** Says beside the switch what it is set to. */
  hasWord?: boolean;
};

/** The switch of a reward; of an archived one, the way back. */
export function RewardState({ reward, state, hasWord = false }: RewardStateProps) {
  return (
    <div className="mr-3 flex items-center gap-2 max-sm:mr-auto">
      {reward.archived_at ? (
        <Button variant="secondary" busy={state.isUnarchiving} onClick={state.unarchive}>
          {rewardsCopy.actions.restore}
        </Button>
      ) : (
        <Switch
          label={rewardsCopy.toggle(reward.name)}
          checked={reward.active}
          onChange={state.setActive}
        />
      )}
      {hasWord && reward.archived_at === null && <StateBadge reward={reward} />}
    </div>
  );
}

/** Whether a reward can be won, in a word. */
export function StateBadge({ reward: { archived_at, active } }: { reward: RewardItem }) {
  if (archived_at) return <Badge icon={Archive}>{rewardsCopy.archived}</Badge>;
  return (
    <Badge tone={active ? "good" : "neutral"} icon={active ? CircleCheck : CirclePause}>
      {active ? rewardsCopy.active : rewardsCopy.inactive}
    </Badge>
  );
}

/** Switching a reward and taking it out of the archive, and what to say when that failed. */
export function useRewardState({ id }: RewardItem) {
  const setActive = useSetActive();
  const unarchive = useUnarchive();
  const refused = setActive.isError ? setActive.variables : null;
  const notSwitched = refused && rewardsCopy.toggleFailed[refused.active ? "on" : "off"];
  return {
    problem: notSwitched ?? (unarchive.isError ? rewardsCopy.actions.restoreFailed : null),
    setActive: (active: boolean) => setActive.mutate({ id, active }),
    unarchive: () => unarchive.mutate(id),
    isUnarchiving: unarchive.isPending,
  };
}
