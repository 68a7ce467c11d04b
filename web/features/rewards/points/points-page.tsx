import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Coins, Plus, TicketCheck, Users } from "lucide-react";
import { useState } from "react";
import type { PointsCatalogue } from "#domain/schemas/points.ts";
import { useApp } from "../../../lib/app-context.ts";
import { formatNumber } from "../../../lib/format.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { pointsCopy as copy } from "./points.copy.ts";
import { pointsQuery } from "./points.queries.ts";
import { PointsForm } from "./points-form.tsx";
import { PointsRow } from "./points-row.tsx";

/** `/rewards/points`: what customers get for their points, and what is owed to them. */
export function PointsPage({ orgId }: { orgId: string }) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const catalogue = useQuery(pointsQuery(supabase, orgId));
  const mayWrite = useMay().may("rewards.write");
  // Item in the form: null is a new one.
  const [open, setOpen] = useState<{ id: string | null; round: number } | null>(null);

  if (catalogue.isError && !catalogue.data) {
    return (
      <LoadProblem
        text={loadFailure(catalogue.error, copy.loadFailed)}
        isRetrying={catalogue.isFetching}
        onRetry={() => catalogue.refetch()}
      />
    );
  }
  const { data } = catalogue;
  const edited = data?.items.find(({ id }) => id === open?.id) ?? null;
  const add = () => setOpen({ id: null, round: 0 });
  return (
    <div className="grid gap-8">
      <PageHeader back={{ to: "/rewards", label: copy.back }} title={copy.title} text={copy.intro}>
        {mayWrite && open === null && data && data.items.length > 0 && (
          <Button onClick={add}>
            <Plus aria-hidden="true" className="size-5" />
            {copy.add}
          </Button>
        )}
      </PageHeader>
      <Owed owed={data?.owed} />
      {data && !data.earns && <NoSource />}
      {open !== null && (
        <PointsForm
          key={`${open.id} ${open.round}`}
          orgId={orgId}
          item={edited}
          onReload={async () => {
            await catalogue.refetch();
            setOpen({ id: open.id, round: open.round + 1 });
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {!data && <ListSkeleton />}
      {data?.items.length === 0 && open === null && (
        <EmptyState title={copy.empty.title} text={copy.empty.text}>
          {mayWrite && <Button onClick={add}>{copy.add}</Button>}
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <ul className="grid gap-4">
          {data.items.map((item) => (
            <PointsRow
              key={item.id}
              item={item}
              onEdit={() => setOpen({ id: item.id, round: 0 })}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

/** Possible cost of the points that customers hold. */
function Owed({ owed }: { owed: PointsCatalogue["owed"] | undefined }) {
  const { cards } = copy;
  return (
    <dl className="grid grid-cols-2 gap-3 *:last:col-span-2 sm:gap-4 lg:grid-cols-3 lg:*:last:col-span-1">
      <StatCard
        icon={Coins}
        label={cards.points}
        value={owed && formatNumber(owed.points)}
        hint={cards.pointsHint}
      />
      <StatCard icon={Users} label={cards.customers} value={owed && formatNumber(owed.customers)} />
      <StatCard
        icon={TicketCheck}
        label={cards.codes}
        value={owed && formatNumber(owed.codes)}
        hint={cards.codesHint}
      />
    </dl>
  );
}

/** Nothing wins points: the way to what does. */
function NoSource() {
  const mayCreate = useMay().mayOpen("/rewards/new");
  return (
    <Notice tone="info">
      <p>{copy.noSource}</p>
      {mayCreate && (
        <Link to="/rewards/new" className="font-semibold underline underline-offset-4">
          {copy.toSource}
        </Link>
      )}
    </Notice>
  );
}
