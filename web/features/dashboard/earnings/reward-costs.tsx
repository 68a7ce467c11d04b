import { useQuery } from "@tanstack/react-query";
import type { RewardCost } from "#domain/schemas/back-office.ts";
import { inCents } from "#domain/text/in-cents.ts";
import { useApp } from "../../../lib/app-context.ts";
import { formatExactEuros } from "../../../lib/format.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { euroText, readCents } from "../../../lib/read-cents.ts";
import { useMay } from "../../../lib/use-may.ts";
import { AmountForm } from "../../../ui/forms/amount-form.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { dashboardCopy } from "../dashboard.copy.ts";
import { costsQuery } from "../period/period.queries.ts";
import { assumptionFailure, useSaveCost } from "./assumptions.mutations.ts";
import { ChosenOfSome } from "./chosen-of-some.tsx";

const copy = dashboardCopy.earnings.costs;

type RewardCostsProps = { orgId: string; dates: { from: string; to: string } };

/** Costs of the used rewards: each is shown with its uses, and edited in place. */
export function RewardCosts({ orgId, dates }: RewardCostsProps) {
  const { supabase } = useApp();
  const query = useQuery(costsQuery(supabase, orgId, dates));
  const { data } = query;
  if (query.isError && !data) {
    return (
      <LoadProblem
        text={loadFailure(query.error, copy.loadFailed)}
        isRetrying={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  if (!data) return <ListSkeleton />;
  if (data.items.length === 0) return <p className="text-muted">{copy.none}</p>;
  const left = data.rewards - data.items.length;
  // Wheels of several campaigns often give rewards of the same name.
  const isSplit = new Set(data.items.map(({ campaign }) => campaign)).size > 1;
  const items = data.items.map((reward) => ({
    ...reward,
    name: isSplit ? copy.named(reward.name, reward.campaign) : reward.name,
  }));
  return (
    <ChosenOfSome
      label={copy.list}
      items={items.map((reward) => ({
        id: reward.id,
        name: reward.name,
        said: copy.said(reward.uses, inEuros(reward.value)),
        form: <CostForm reward={reward} />,
      }))}
      more={left > 0 ? copy.more(left) : null}
    />
  );
}

const inEuros = (value: number | null) =>
  value === null ? null : formatExactEuros(inCents(value));

/** An amount in euros as it was typed; null when blank, undefined when invalid. */
function readCost(typed: string): number | null | undefined {
  if (/^[\s€]*$/.test(typed)) return null;
  const cents = readCents(typed);
  return cents === null ? undefined : cents / 100;
}

function CostForm({ reward }: { reward: RewardCost }) {
  const save = useSaveCost(reward);
  if (!useMay().may("rewards.write")) return null;
  const { id, name, value } = reward;
  return (
    <AmountForm
      name={`cost ${id}`}
      copy={copy}
      hint={copy.hint(name)}
      text={euroText(value)}
      read={readCost}
      save={save}
      failure={(error) => assumptionFailure(error, copy)}
    />
  );
}
