import { Link } from "@tanstack/react-router";
import { Play, QrCode } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { campaignState } from "#domain/rules/campaign-state.ts";
import type { CampaignItem, CampaignList } from "#domain/schemas/back-office.ts";
import { firstOfMonth } from "#domain/text/first-of-month.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Button, ButtonRow } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { CampaignBadges } from "../../../ui/campaign/campaign-badges.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import type { ListColumn } from "../../../ui/list-table/list-column.ts";
import { ListItems } from "../../../ui/list-table/list-items.tsx";
import { SelectionAction } from "../../../ui/list-table/selection-action.tsx";
import { ExportButton } from "../../../ui/lists/export-button.tsx";
import { Pager } from "../../../ui/lists/pager.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { campaignsCopy } from "../campaigns.copy.ts";
import { useArchiveCampaigns } from "../campaigns.mutations.ts";
import type { CampaignSearch } from "../campaigns.queries.ts";
import { testPath } from "../posters/public-link.ts";
import { QrDialog } from "../posters/qr-dialog.tsx";
import { CampaignMenu } from "./campaign-menu.tsx";

const copy = campaignsCopy.list;

type CampaignItemsProps = {
  orgId: string;
  list: CampaignList;
  search: CampaignSearch;
  mayCreate: boolean;
  onPage: (page: number) => void;
  onSort: (sort: string | undefined) => void;
  onClear: () => void;
};

/** The campaigns that were found, or why there are none. */
export function CampaignItems(props: CampaignItemsProps) {
  const { orgId, list, search, mayCreate, onPage, onSort, onClear } = props;
  const [shown, setShown] = useState<CampaignItem | null>(null);
  const columns = useMemo(() => columnsOf(setShown), []);

  const isEmpty = list.total === 0 && list.archived === 0;
  if (list.matches === 0 && search.q !== "" && !isEmpty) {
    return (
      <EmptyState title={copy.noMatch}>
        <Button variant="secondary" onClick={onClear}>
          {copy.clear}
        </Button>
      </EmptyState>
    );
  }
  if (list.matches === 0 && search.isArchived) return <EmptyState title={copy.nonePutAway} />;
  if (list.matches === 0) {
    return (
      <EmptyState isFirst={list.archived === 0} title={copy.empty.title} text={copy.empty.text}>
        {mayCreate && (
          <Link to="/campaigns/new" className={buttonClass()}>
            {copy.empty.action}
          </Link>
        )}
      </EmptyState>
    );
  }
  const pages = Math.ceil(list.matches / list.page_size);
  return (
    <div className="grid gap-4">
      <p role="status" className={search.q ? "text-muted" : "sr-only"}>
        {copy.found(list.matches)}
      </p>
      <ListItems
        name="campaigns"
        label={copy.items}
        items={list.items}
        columns={columns}
        card={(campaign) => (
          <CampaignCard campaign={campaign} onShowQr={() => setShown(campaign)} />
        )}
        nameOf={({ name }) => name}
        sort={search.sort}
        onSort={onSort}
        actions={(selected, onDone) => (
          <CampaignSelection
            orgId={orgId}
            ids={selected.map(({ id }) => id)}
            canExport={list.can_export}
            isArchived={search.isArchived}
            onDone={onDone}
          />
        )}
      />
      <Pager page={list.page} pages={pages} hasNext={list.page < pages} onPage={onPage} />
      {shown && <QrDialog campaign={shown} onClose={() => setShown(null)} />}
    </div>
  );
}

const FIGURES = ["scans", "reviews", "spins", "redemptions"] as const;

function columnsOf(
  onShowQr: (campaign: CampaignItem) => void,
): readonly ListColumn<CampaignItem>[] {
  return [
    {
      id: "name",
      label: copy.columns.name,
      isSortable: true,
      isFixed: true,
      cell: (campaign) => <NameCell campaign={campaign} />,
    },
    {
      id: "store",
      label: copy.columns.store,
      isSortable: true,
      cell: ({ store_name }) => (
        <span title={store_name ?? undefined} className="line-clamp-3 wrap-anywhere xl:min-w-24">
          {store_name ?? copy.unknownStore}
        </span>
      ),
    },
    {
      id: "created_at",
      label: copy.columns.dates,
      isSortable: true,
      cell: (campaign) => (
        <span className="inline-block xl:min-w-40">{campaignDates(campaign, new Date())}</span>
      ),
    },
    ...FIGURES.map(
      (figure): ListColumn<CampaignItem> => ({
        id: figure,
        label: copy.counts[figure],
        kind: "figure",
        isSortable: true,
        cell: (campaign) => formatNumber(campaign[figure]),
      }),
    ),
    {
      id: "actions",
      label: copy.columns.actions,
      kind: "actions",
      isFixed: true,
      cell: (campaign) => (
        <div className="flex items-start justify-end">
          <QrButton name={campaign.name} variant="quiet" onShowQr={() => onShowQr(campaign)} />
          <TestLink campaign={campaign} />
          <CampaignMenu campaign={campaign} onShowQr={() => onShowQr(campaign)} />
        </div>
      ),
    },
  ];
}

function NameCell({ campaign }: { campaign: CampaignItem }) {
  const { id, name } = campaign;
  const isOpen = useMay().mayOpen("/campaigns/$campaignId");
  return (
    <div className="flex flex-wrap items-center xl:min-w-40 gap-x-3 gap-y-1">
      <h2 className="min-w-0 font-sans text-base tracking-normal wrap-anywhere">
        {isOpen ? (
          <Link
            to="/campaigns/$campaignId"
            params={{ campaignId: id }}
            data-row-link=""
            className="hover:underline"
          >
            {name}
          </Link>
        ) : (
          name
        )}
      </h2>
      <CampaignBadges campaign={campaign} />
    </div>
  );
}

type CampaignSelectionProps = {
  orgId: string;
  ids: string[];
  canExport: boolean;
  /** Whether the archived ones are shown, which can be exported alone. */
  isArchived: boolean;
  onDone: () => void;
};

/** Actions on the ticked campaigns. */
function CampaignSelection(props: CampaignSelectionProps) {
  const { orgId, ids, canExport, isArchived, onDone } = props;
  const archiving = useArchiveCampaigns(orgId);
  const mayArchive = useMay().may("campaigns.delete") && !isArchived;
  return (
    <>
      <ExportButton
        label={copy.selection.export}
        isIncluded={canExport}
        order={{ type: "campaigns", org_id: orgId, filters: { ids, is_archived: isArchived } }}
      />
      {mayArchive && (
        <SelectionAction
          action={copy.selection.archive}
          question={{ title: copy.selection.title(ids.length), text: copy.selection.text }}
          ids={ids}
          mutation={archiving}
          onDone={onDone}
        />
      )}
    </>
  );
}

type CampaignCardProps = { campaign: CampaignItem; onShowQr: () => void };

/** One campaign of the list, on a phone: what it is, what it has led to, and its QR code. */
function CampaignCard({ campaign, onShowQr }: CampaignCardProps) {
  const { name, store_name, scans, reviews, spins, redemptions } = campaign;
  const counts = [
    [copy.counts.scans, scans],
    [copy.counts.reviews, reviews],
    [copy.counts.spins, spins],
    [copy.counts.redemptions, redemptions],
  ] as const;
  return (
    <div className="relative grid gap-x-6 gap-y-4 lg:grid-cols-[1fr_auto_auto] lg:items-center">
      <div className="min-w-0 max-lg:pr-10 group-data-selecting/cards:pr-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0 font-sans text-lg tracking-normal wrap-anywhere">{name}</h2>
          <CampaignBadges campaign={campaign} />
        </div>
        <p className="mt-1 wrap-anywhere">{store_name ?? copy.unknownStore}</p>
        <p className="text-sm text-muted">{campaignDates(campaign, new Date())}</p>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 min-[480px]:grid-cols-4">
        {counts.map(([label, count]) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="font-display text-xl font-bold tabular-nums">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap items-start gap-2 group-data-selecting/cards:hidden">
        <QrButton name={name} variant="secondary" onShowQr={onShowQr} />
        <TestLink campaign={campaign} />
        <div className="max-lg:absolute max-lg:-top-2 max-lg:-right-2">
          <CampaignMenu campaign={campaign} onShowQr={onShowQr} />
        </div>
      </div>
    </div>
  );
}

type QrButtonProps = { name: string; variant: "secondary" | "quiet"; onShowQr: () => void };

/** Shows the QR code of a campaign. */
function QrButton({ name, variant, onShowQr }: QrButtonProps) {
  return (
    <Button
      variant={variant}
      className="whitespace-nowrap"
      aria-label={copy.qrOf(name)}
      onClick={onShowQr}
    >
      <QrCode aria-hidden="true" className="size-5" />
      {copy.qr}
    </Button>
  );
}

/** Opens a campaign without counting, its test mode, or says why customers and tests find nothing there now. */
function TestLink({ campaign }: { campaign: CampaignItem }) {
  const [isAsked, setIsAsked] = useState(false);
  const { name, slug } = campaign;
  const state = campaignState(campaign, new Date());
  const content = (
    <>
      <Play aria-hidden="true" className="size-5" />
      {copy.test}
    </>
  );
  if (state !== "running") {
    return (
      <>
        <Button
          variant="quiet"
          aria-label={`${copy.test} ${name}`}
          aria-haspopup="dialog"
          onClick={() => setIsAsked(true)}
        >
          {content}
        </Button>
        {isAsked && (
          <Untestable
            id={campaign.id}
            state={campaign.archived_at ? "archived" : state}
            onClose={() => setIsAsked(false)}
          />
        )}
      </>
    );
  }
  return (
    <a
      href={testPath(slug)}
      target="_blank"
      rel="noopener"
      aria-label={copy.testOf(name)}
      className={buttonClass({ variant: "quiet" })}
    >
      {content}
    </a>
  );
}

type UntestableProps = {
  id: string;
  state: keyof typeof copy.untestable.states;
  onClose: () => void;
};

/** Says why a campaign cannot be tested now, and where its wheel can be tried. */
function Untestable({ id, state, onClose }: UntestableProps) {
  const { title, states, text, wheel, toWheel, close } = copy.untestable;
  const textId = useId();
  const mayTry = useMay().mayOpen("/campaigns/$campaignId/edit") && state !== "archived";
  return (
    <Dialog title={title} describedBy={textId} onClose={onClose}>
      <div id={textId} className="grid gap-2 text-pretty text-muted">
        <p>{text(states[state])}</p>
        {mayTry && <p>{wheel}</p>}
      </div>
      <ButtonRow>
        <Button variant="secondary" onClick={onClose}>
          {close}
        </Button>
        {mayTry && (
          <Link
            to="/campaigns/$campaignId/edit"
            params={{ campaignId: id }}
            search={{ part: "wheel" }}
            className={buttonClass()}
          >
            {toWheel}
          </Link>
        )}
      </ButtonRow>
    </Dialog>
  );
}

type Dates = Pick<CampaignItem, "starts_at" | "ends_at" | "created_at" | "timezone">;

/**
 * When a campaign runs, in words, as its store counts the days: without a start it began when it was made; without an
 * end it goes on.
 */
function campaignDates({ starts_at, ends_at, created_at, timezone }: Dates, now: Date): string {
  const format = new Intl.DateTimeFormat("fr-FR", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: timezone ?? undefined,
  });
  const day = (date: Date) => firstOfMonth(format.format(date));
  const start = new Date(starts_at ?? created_at);
  const from = day(start);
  if (ends_at) return copy.between(from, day(new Date(ends_at)));
  return start > now ? copy.startsOn(from) : copy.from(from);
}
