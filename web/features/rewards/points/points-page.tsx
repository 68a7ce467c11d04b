import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Coins, Pencil, Plus, TicketCheck, Trash2, Users } from "lucide-react";
import { useState } from "react";
import { UNLIMITED_STOCK } from "#domain/rules/constants.ts";
import type { PointsCatalogue, PointsItem } from "#domain/schemas/points.ts";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { formatNumber } from "../../../lib/format.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Switch } from "../../../ui/forms/switch.tsx";
import { MENU_ITEM, Menu } from "../../../ui/menu.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { useHasUnsaved } from "../../../ui/unsaved/use-unsaved-input.tsx";
import { pointsCopy as copy } from "./points.copy.ts";
import { useOfferPointsReward, useRemovePointsReward } from "./points.mutations.ts";
import { pointsQuery } from "./points.queries.ts";
import { PointsForm, pointsFormName } from "./points-form.tsx";

/** `/rewards/points`: what customers get for their points, and what is owed to them. */
export function PointsPage({ orgId }: { orgId: string }) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const catalogue = useQuery(pointsQuery(supabase, orgId));
  const mayWrite = useMay().may("rewards.write");
  const hasUnsaved = useHasUnsaved();
  // Item in the form, where null is a new one; undefined until it is known whether one was being typed.
  const [chosen, setOpen] = useState<{ id: string | null; round: number } | null>();
  const open = chosen ?? null;

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
  if (chosen === undefined && data) {
    const typed = [null, ...data.items].find((item) => hasUnsaved(pointsFormName(item)));
    setOpen(typed === undefined || !mayWrite ? null : { id: typed?.id ?? null, round: 0 });
  }
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
        <EmptyState title={copy.empty.title} text={mayWrite ? copy.empty.text : undefined}>
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

type PointsRowProps = { item: PointsItem; onEdit: () => void };

/** Something that points buy, in the list. */
function PointsRow({ item, onEdit }: PointsRowProps) {
  const { id, name, cost, stock, active, affordable, spends } = item;
  const { may } = useMay();
  const offer = useOfferPointsReward();
  const [isRemoving, setIsRemoving] = useState(false);
  // Shown at once; the list is refetched once it is saved or refused.
  const isOffered = offer.isPending ? offer.variables.active : active;

  return (
    <li className="grid gap-3 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <span
          aria-hidden="true"
          className="grid size-12 shrink-0 place-items-center rounded-card bg-violet-soft text-violet"
        >
          <Coins className="size-6" />
        </span>
        <div className="grid min-w-0 flex-1 basis-52 gap-1.5">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="min-w-0 text-xl wrap-anywhere">{name}</h2>
            <Badge tone="violet">{cost === 1 ? copy.one : copy.cost(formatNumber(cost))}</Badge>
            <Badge tone={isOffered ? "good" : "neutral"}>
              {isOffered ? copy.active : copy.inactive}
            </Badge>
          </div>
          <p className="text-muted">
            {[
              stock === UNLIMITED_STOCK ? copy.unlimited : copy.left(formatNumber(stock)),
              copy.spends(spends),
              copy.affordable(affordable),
            ].join(" · ")}
          </p>
        </div>
        {may("rewards.write") && (
          <div className="flex items-center gap-3">
            <Switch
              label={copy.toggle(name)}
              checked={isOffered}
              onChange={(next) => offer.mutate({ id, active: next })}
            />
            <Menu label={copy.menu(name)}>
              <button type="button" role="menuitem" onClick={onEdit} className={MENU_ITEM}>
                <Pencil aria-hidden="true" className="size-5" />
                {copy.edit}
              </button>
              {may("rewards.delete") && (
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
        )}
      </div>
      {offer.isError && <Alert>{copy.toggleFailed}</Alert>}
      {isRemoving && <RemoveDialog item={item} onClose={() => setIsRemoving(false)} />}
    </li>
  );
}

function RemoveDialog({ item, onClose }: { item: PointsItem; onClose: () => void }) {
  const remove = useRemovePointsReward();
  return (
    <ConfirmDialog
      title={copy.removeTitle(item.name)}
      action={copy.remove}
      busy={remove.isPending}
      problem={remove.isError ? errorMessage(remove.error) : null}
      onConfirm={() => remove.mutate(item.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{copy.removeText}</p>
    </ConfirmDialog>
  );
}
