import { Link } from "@tanstack/react-router";
import {
  Archive,
  CircleAlert,
  CircleCheck,
  CirclePause,
  Coins,
  Gift,
  type LucideIcon,
  Plus,
  Ticket,
} from "lucide-react";
import { UNLIMITED_STOCK, USUAL_VALIDITY_DAYS } from "#domain/rules/constants.ts";
import { PRIZE_DRAWINGS } from "#domain/rules/prize-pictures.ts";
import type { RewardType } from "#domain/schemas/reward-type.ts";
import type { RewardItem } from "#domain/schemas/rewards.ts";
import { formatNumber, formatShare } from "../../lib/format.ts";
import { useMay } from "../../lib/use-may.ts";
import { Alert } from "../../ui/alert.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { Switch } from "../../ui/forms/switch.tsx";
import { PrizePicture } from "../../ui/prize-picture.tsx";
import { RewardMenu } from "./reward-menu.tsx";
import { rewardsCopy } from "./rewards.copy.ts";
import { useSetActive, useUnarchive } from "./rewards.mutations.ts";

/** Icons of the types, for rewards without a picture. */
const REWARD_ICONS: Readonly<Record<RewardType, LucideIcon>> = {
  coupon: Ticket,
  gift: Gift,
  points: Coins,
};

const { actions: copy, facts: factsCopy } = rewardsCopy;

/** A reward on a phone. */
export function RewardCard({ orgId, reward }: { orgId: string; reward: RewardItem }) {
  const { name, type, picture } = reward;
  const { may } = useMay();
  const state = useRewardState(reward);
  const Icon = REWARD_ICONS[type];

  return (
    <div className="grid gap-4 sm:gap-5">
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
            <h2 className="min-w-0 text-xl wrap-anywhere">{name}</h2>
            <Badge tone="violet">{rewardsCopy.types[type]}</Badge>
            {!(may("rewards.write") && reward.archived_at === null) && (
              <StateBadge reward={reward} />
            )}
          </div>
          <p className="text-muted wrap-anywhere">
            <span className="sr-only">{factsCopy.campaign} : </span>
            <span>{reward.campaign_name ?? rewardsCopy.deletedCampaign}</span>
            {reward.shared_with.length > 0 && (
              <>
                {" · "}
                <span>{rewardsCopy.sharedWith(reward.shared_with.map((one) => one.name))}</span>
              </>
            )}
            {type !== "points" && (
              <span className="block">
                <span className="sr-only">{factsCopy.template} : </span>
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

/** Points have no codes, so no uses either. */
function hasCodes({ type }: RewardItem): boolean {
  return type !== "points";
}

/** How many are left to win. */
export function stockOf({ stock }: RewardItem): string {
  return stock === UNLIMITED_STOCK ? rewardsCopy.unlimited : rewardsCopy.left(formatNumber(stock));
}

/** Share of the wins that were used; null of points. */
export function rateOf(reward: RewardItem): string | null {
  const { redemptions, wins } = reward.figures;
  return hasCodes(reward) ? formatShare(redemptions, wins) : null;
}

/** How often it was used; null of points. */
export function usesOf(reward: RewardItem): string | null {
  return hasCodes(reward) ? formatNumber(reward.figures.redemptions) : null;
}

/** How long it is good for; null of points without a number of days, which have no end. */
export function validityOf(reward: RewardItem): string | null {
  const days =
    reward.metadata?.validityDays ?? (hasCodes(reward) ? USUAL_VALIDITY_DAYS : undefined);
  return days === undefined ? null : rewardsCopy.days(days);
}

/** The percentage, thing and points that are won, each with its name. */
export function offerOf({ metadata }: RewardItem): readonly (readonly [string, string])[] {
  const { discountPercent, item, points } = metadata ?? {};
  return [
    ...(discountPercent === undefined
      ? []
      : [[factsCopy.discount, rewardsCopy.percent(formatNumber(discountPercent))] as const]),
    ...(item === undefined ? [] : [[factsCopy.item, item] as const]),
    ...(points === undefined ? [] : [[factsCopy.points, formatNumber(points)] as const]),
  ];
}

/** Details of a reward, and its figures; on a phone they flow in lines. */
function RewardFacts({ reward }: { reward: RewardItem }) {
  const facts = [
    [factsCopy.stock, stockOf(reward)],
    [factsCopy.wins, formatNumber(reward.figures.wins)],
    [factsCopy.redemptions, usesOf(reward)],
    [factsCopy.rate, rateOf(reward)],
    [factsCopy.maxPerUser, formatNumber(reward.max_per_user)],
    [factsCopy.validity, validityOf(reward)],
    ...offerOf(reward),
  ] as const;
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1.5 sm:grid sm:grid-cols-3 sm:gap-x-4 sm:gap-y-3 md:grid-cols-4 xl:grid-cols-8">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name} className="flex min-w-0 gap-x-1.5 max-sm:text-sm sm:block">
              <dt className="text-sm text-muted">{name}</dt>
              <dd className="min-w-0 font-semibold wrap-anywhere tabular-nums">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

type CodesLinkProps = { reward: RewardItem; variant: "secondary" | "quiet" };

/** Link to the codes of a reward, for members who may see them. */
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
