import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { CampaignItem, CampaignList } from "#domain/schemas/back-office.ts";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pager } from "../../ui/pager.tsx";
import { CampaignRow } from "./campaign-row.tsx";
import { campaignsCopy } from "./campaigns.copy.ts";
import type { CampaignSearch } from "./campaigns.queries.ts";
import { QrDialog } from "./posters/qr-dialog.tsx";

const copy = campaignsCopy.list;

type CampaignItemsProps = {
  list: CampaignList;
  search: CampaignSearch;
  mayCreate: boolean;
  onPage: (page: number) => void;
  onClear: () => void;
};

/** The campaigns that were found, or why there are none. */
export function CampaignItems(props: CampaignItemsProps) {
  const { list, search, mayCreate, onPage, onClear } = props;
  const [shown, setShown] = useState<CampaignItem | null>(null);

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
      <ul aria-label={copy.items} className="grid gap-4">
        {list.items.map((campaign) => (
          <CampaignRow key={campaign.id} campaign={campaign} onShowQr={() => setShown(campaign)} />
        ))}
      </ul>
      <Pager page={list.page} pages={pages} hasNext={list.page < pages} onPage={onPage} />
      {shown && <QrDialog {...shown} onClose={() => setShown(null)} />}
    </div>
  );
}
