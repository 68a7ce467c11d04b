import { Link } from "@tanstack/react-router";
import { ChartColumn, Pencil, Ticket, Trash2 } from "lucide-react";
import { useState } from "react";
import type { RewardItem } from "#domain/schemas/rewards.ts";
import { useMay } from "../../lib/use-may.ts";
import { Alert } from "../../ui/alert.tsx";
import { Badge } from "../../ui/badge.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { MENU_ITEM, Menu } from "../../ui/menu.tsx";
import { OffWheel } from "./off-wheel.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";
import { RewardFacts } from "./reward-facts.tsx";
import { REWARD_ICONS } from "./reward-icons.ts";
import { RewardState } from "./reward-state.tsx";
import { rewardsCopy } from "./rewards.copy.ts";
import { StateBadge } from "./state-badge.tsx";
import { useRewardState } from "./use-reward-state.ts";

const { actions: copy } = rewardsCopy;

/** One reward of the list. */
export function RewardCard({ reward }: { reward: RewardItem }) {
  const { id, name, type } = reward;
  const [isRemoving, setIsRemoving] = useState(false);
  const { may, mayOpen } = useMay();
  const canRemove = may("rewards.delete") && !reward.archived_at;
  const state = useRewardState(reward);
  const Icon = REWARD_ICONS[type];
  const params = { rewardId: id };

  return (
    <li className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <span
          aria-hidden="true"
          className="grid size-12 shrink-0 place-items-center rounded-card bg-violet-soft text-violet"
        >
          <Icon className="size-6" />
        </span>
        <div className="grid min-w-0 flex-1 basis-52 gap-1.5">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="min-w-0 text-xl break-words">{name}</h2>
            <Badge tone="violet">{rewardsCopy.types[type]}</Badge>
            <StateBadge reward={reward} />
          </div>
          <p className="text-muted wrap-anywhere">
            <span className="sr-only">{rewardsCopy.facts.campaign} : </span>
            <span>{reward.campaign_name ?? rewardsCopy.deletedCampaign}</span>
            {type !== "points" && (
              <>
                {" · "}
                <span className="sr-only">{rewardsCopy.facts.template} : </span>
                <code className="inline-block max-w-full font-sans font-medium text-ink">
                  {reward.code_template ?? rewardsCopy.defaultTemplate}
                </code>
              </>
            )}
          </p>
        </div>
        <div className="flex items-center gap-1 max-sm:w-full">
          {may("rewards.write") && <RewardState state={state} reward={reward} />}
          {mayOpen("/rewards/$rewardId/codes") && (
            <Link
              to="/rewards/$rewardId/codes"
              params={params}
              aria-label={copy.codesOf(name)}
              className={buttonClass({ variant: "secondary" })}
            >
              <Ticket aria-hidden="true" className="size-5" />
              {copy.codes}
            </Link>
          )}
          <Menu label={copy.menu(name)}>
            {mayOpen("/rewards/$rewardId/edit") && (
              <Link
                role="menuitem"
                to="/rewards/$rewardId/edit"
                params={params}
                className={MENU_ITEM}
              >
                <Pencil aria-hidden="true" className="size-5" />
                {copy.edit}
              </Link>
            )}
            <Link
              role="menuitem"
              to="/rewards/$rewardId/stats"
              params={params}
              className={MENU_ITEM}
            >
              <ChartColumn aria-hidden="true" className="size-5" />
              {copy.stats}
            </Link>
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
        </div>
      </div>
      {reward.is_off_wheel && <OffWheel reward={reward} />}
      <RewardFacts reward={reward} />
      {state.problem && <Alert>{state.problem}</Alert>}
      {isRemoving && <RemoveDialog reward={reward} onClose={() => setIsRemoving(false)} />}
    </li>
  );
}
