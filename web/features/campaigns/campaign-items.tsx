import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { CampaignItem, CampaignList } from "#domain/back-office.ts";
import { formatNumber } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pager } from "../../ui/pager.tsx";
import { CampaignRow } from "./campaign-row.tsx";
import { campaignsCopy } from "./campaigns.copy.ts";
import { QrDialog } from "./qr-dialog.tsx";

const copy = campaignsCopy.list;

type CampaignItemsProps = {
  list: CampaignList;
  isSearched: boolean;
  mayCreate: boolean;
  onPage: (page: number) => void;
  onClear: () => void;
};

/** The campaigns that were found, or why there are none. */
export function CampaignItems(props: CampaignItemsProps) {
  const { list, isSearched, mayCreate, onPage, onClear } = props;
  const [shown, setShown] = useState<CampaignItem | null>(null);

  if (list.total === 0) {
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
  if (list.matches === 0) {
    return (
      <EmptyState title={copy.noMatch}>
        <Button variant="secondary" onClick={onClear}>
          {copy.clear}
        </Button>
      </EmptyState>
    );
  }
  const pages = Math.ceil(list.matches / list.page_size);
  return (
    <div className="grid gap-4">
      <p role="status" className={isSearched ? "text-muted" : "sr-only"}>
        {copy.found(formatNumber(list.matches), list.matches === 1)}
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
