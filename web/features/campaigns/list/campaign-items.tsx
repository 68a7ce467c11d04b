import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { CampaignItem, CampaignList } from "#domain/schemas/back-office.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { CampaignBadges } from "../../../ui/campaign/campaign-badges.tsx";
import type { ListColumn } from "../../../ui/list-table/list-column.ts";
import { ListItems } from "../../../ui/list-table/list-items.tsx";
import { SelectionAction } from "../../../ui/list-table/selection-action.tsx";
import { Pager } from "../../../ui/lists/pager.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { campaignsCopy } from "../campaigns.copy.ts";
import { useArchiveCampaigns } from "../campaigns.mutations.ts";
import type { CampaignSearch } from "../campaigns.queries.ts";
import { QrDialog } from "../posters/qr-dialog.tsx";
import { CampaignMenu } from "./campaign-menu.tsx";
import { CampaignCard, campaignDates, QrButton, TestLink } from "./campaign-row.tsx";

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
  const mayArchive = useMay().may("campaigns.delete") && !search.isArchived;

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
      <EmptyState title={copy.empty.title} text={copy.empty.text}>
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
        actions={
          mayArchive
            ? (selected, onDone) => (
                <CampaignSelection
                  orgId={orgId}
                  ids={selected.map(({ id }) => id)}
                  onDone={onDone}
                />
              )
            : undefined
        }
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
        <span className="wrap-anywhere">{store_name ?? copy.unknownStore}</span>
      ),
    },
    {
      id: "created_at",
      label: copy.columns.dates,
      isSortable: true,
      cell: (campaign) => campaignDates(campaign, new Date()),
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
          <TestLink {...campaign} />
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
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="min-w-0 font-sans text-base tracking-normal break-words">
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

type CampaignSelectionProps = { orgId: string; ids: string[]; onDone: () => void };

/** Actions on the ticked campaigns. */
function CampaignSelection({ orgId, ids, onDone }: CampaignSelectionProps) {
  const { archive, title, text } = copy.selection;
  return (
    <SelectionAction
      action={archive}
      question={{ title: title(ids.length), text }}
      ids={ids}
      mutation={useArchiveCampaigns(orgId)}
      onDone={onDone}
    />
  );
}
