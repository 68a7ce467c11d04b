import { Link } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import type { CampaignStats } from "#domain/schemas/campaign-stats.ts";
import { formatStoredDate } from "../../../lib/format.ts";
import { useMay } from "../../../lib/use-may.ts";
import { BackLink } from "../../../ui/back-link.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { CampaignBadges } from "../../../ui/campaign/campaign-badges.tsx";
import { campaignFiguresCopy as copy } from "./campaign-figures.copy.ts";

/** Which campaign this is, where it runs, and since when it exists. */
export function CampaignFiguresHeader({ campaign }: Pick<CampaignStats, "campaign">) {
  const { id, name, store_name, created_at } = campaign;
  const mayEdit = useMay().mayOpen("/campaigns/$campaignId/edit");
  return (
    <header className="grid gap-3">
      <BackLink to="/campaigns" label={copy.back} />
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="grid min-w-0 gap-1.5">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <h1 className="min-w-0 text-2xl wrap-anywhere sm:text-3xl">{name}</h1>
            <CampaignBadges campaign={campaign} />
          </div>
          <p className="flex flex-wrap gap-x-4 text-muted">
            <span className="wrap-anywhere">{store_name ?? copy.unknownStore}</span>
            <span>{copy.created(formatStoredDate(created_at))}</span>
          </p>
        </div>
        {mayEdit && (
          <Link
            to="/campaigns/$campaignId/edit"
            params={{ campaignId: id }}
            className={`print:hidden ${buttonClass({ variant: "secondary" })}`}
          >
            <Pencil aria-hidden="true" className="size-5" />
            {copy.edit}
          </Link>
        )}
      </div>
    </header>
  );
}
