import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { PRIZE_DRAWINGS } from "#domain/rules/prize-pictures.ts";
import type { RewardItem } from "#domain/schemas/rewards.ts";
import { formatNumber } from "../../lib/format.ts";
import { useMay } from "../../lib/use-may.ts";
import { Alert } from "../../ui/alert.tsx";
import { Badge } from "../../ui/badge.tsx";
import type { ListColumn } from "../../ui/list-table/list-column.ts";
import { ListItems } from "../../ui/list-table/list-items.tsx";
import { SelectionAction } from "../../ui/list-table/selection-action.tsx";
import { PrizePicture } from "../../ui/prize-picture.tsx";
import {
  CodesLink,
  OffWheel,
  offerOf,
  RewardCard,
  RewardState,
  rateOf,
  StateBadge,
  stockOf,
  useRewardState,
  usesOf,
  validityOf,
} from "./reward-card.tsx";
import { RewardMenu } from "./reward-menu.tsx";
import { rewardsCopy } from "./rewards.copy.ts";
import { useArchiveRewards } from "./rewards.mutations.ts";

const { columns: copy, facts } = rewardsCopy;

/** The switch of a reward; whether it is active stands beside its name as well. */
const STATE: ListColumn<RewardItem> = {
  id: "state",
  label: copy.state,
  isSortable: true,
  cell: (reward) => <StateCell reward={reward} />,
};

const columnsOf = (orgId: string, mayWrite: boolean): readonly ListColumn<RewardItem>[] => [
  {
    id: "name",
    label: copy.name,
    isSortable: true,
    isFixed: true,
    cell: (reward) => <NameCell reward={reward} />,
  },
  { id: "campaign", label: facts.campaign, cell: (reward) => <CampaignCell reward={reward} /> },
  { id: "stock", label: facts.stock, kind: "figure", isSortable: true, cell: stockOf },
  {
    id: "wins",
    label: facts.wins,
    kind: "figure",
    isSortable: true,
    cell: ({ figures }) => formatNumber(figures.wins),
  },
  { id: "redemptions", label: facts.redemptions, kind: "figure", isSortable: true, cell: usesOf },
  { id: "rate", label: facts.rate, kind: "figure", isSortable: true, cell: rateOf },
  {
    id: "conditions",
    label: copy.conditions,
    kind: "figure",
    sorts: [
      { id: "max", label: facts.maxPerUser, heading: copy.max, kind: "figure" },
      { id: "validity", label: facts.validity, kind: "figure" },
    ],
    cell: (reward) => (
      <>
        {rewardsCopy.perPerson(formatNumber(reward.max_per_user))}
        <span className="block text-muted">{validityOf(reward)}</span>
      </>
    ),
  },
  ...(mayWrite ? [STATE] : []),
  {
    id: "actions",
    label: copy.actions,
    kind: "actions",
    isFixed: true,
    cell: (reward) => (
      <div className="flex items-center justify-end">
        <CodesLink reward={reward} variant="quiet" />
        <RewardMenu orgId={orgId} reward={reward} />
      </div>
    ),
  },
];

type RewardItemsProps = {
  orgId: string;
  rewards: readonly RewardItem[];
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
};

/** A page of rewards. */
export function RewardItems({ orgId, rewards, sort, onSort }: RewardItemsProps) {
  const { may } = useMay();
  const mayWrite = may("rewards.write");
  const columns = useMemo(() => columnsOf(orgId, mayWrite), [orgId, mayWrite]);
  const mayArchive =
    may("rewards.delete") && rewards.some(({ archived_at }) => archived_at === null);
  return (
    <ListItems
      name="rewards"
      label={rewardsCopy.items}
      items={rewards}
      columns={columns}
      card={(reward) => <RewardCard orgId={orgId} reward={reward} />}
      nameOf={({ name }) => name}
      sort={sort}
      onSort={onSort}
      actions={
        mayArchive
          ? (selected, onDone) => (
              <RewardSelection orgId={orgId} ids={selected.map(({ id }) => id)} onDone={onDone} />
            )
          : undefined
      }
    />
  );
}

function NameCell({ reward }: { reward: RewardItem }) {
  const { id, name, type, picture } = reward;
  const { mayOpen } = useMay();
  const to = mayOpen("/rewards/$rewardId/edit")
    ? "/rewards/$rewardId/edit"
    : "/rewards/$rewardId/stats";
  return (
    <div className="grid max-w-64 min-w-44 gap-1">
      <div className="flex items-center gap-2">
        {picture && (
          <PrizePicture drawing={PRIZE_DRAWINGS[picture]} className="size-6 shrink-0 text-violet" />
        )}
        <h2 className="min-w-0 font-sans text-base tracking-normal wrap-anywhere">
          <Link to={to} params={{ rewardId: id }} data-row-link="" className="hover:underline">
            {name}
          </Link>
        </h2>
      </div>
      {offerOf(reward).map(([fact, value]) => (
        <p key={fact} className="text-muted wrap-anywhere">
          <span className="sr-only">{fact} : </span>
          <span>{value}</span>
        </p>
      ))}
      <div className="flex flex-wrap gap-1.5">
        <Badge tone="violet">{rewardsCopy.types[type]}</Badge>
        <StateBadge reward={reward} />
      </div>
      {reward.is_off_wheel && <OffWheel reward={reward} />}
    </div>
  );
}

function CampaignCell({ reward }: { reward: RewardItem }) {
  return (
    <div className="max-w-52 min-w-28 wrap-anywhere">
      <span title={reward.campaign_name ?? undefined} className="line-clamp-3">
        {reward.campaign_name ?? rewardsCopy.deletedCampaign}
      </span>
      {reward.shared_with.length > 0 && (
        <span className="block text-muted">
          {rewardsCopy.sharedWith(reward.shared_with.map(({ name }) => name))}
        </span>
      )}
      {reward.type !== "points" && (
        <span className="block text-muted">
          <span className="sr-only">{facts.template} : </span>
          <code className="font-sans">{reward.code_template ?? rewardsCopy.defaultTemplate}</code>
        </span>
      )}
    </div>
  );
}

function StateCell({ reward }: { reward: RewardItem }) {
  const state = useRewardState(reward);
  return (
    <div className="grid gap-2">
      <RewardState state={state} reward={reward} />
      {state.problem && <Alert>{state.problem}</Alert>}
    </div>
  );
}

type RewardSelectionProps = { orgId: string; ids: string[]; onDone: () => void };

/** Actions on the ticked rewards. */
function RewardSelection({ orgId, ids, onDone }: RewardSelectionProps) {
  const { archive, title, text } = rewardsCopy.selection;
  return (
    <SelectionAction
      action={archive}
      question={{ title: title(ids.length), text }}
      ids={ids}
      mutation={useArchiveRewards(orgId)}
      onDone={onDone}
    />
  );
}
