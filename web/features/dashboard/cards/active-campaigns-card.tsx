import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { Dashboard } from "#domain/schemas/back-office.ts";
import { useMay } from "../../../lib/use-may.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { CampaignBadges } from "../../../ui/campaign/campaign-badges.tsx";
import { dashboardCopy } from "../dashboard.copy.ts";

const copy = dashboardCopy.active;

/** The newest campaigns that run. */
export function ActiveCampaignsCard({ campaigns }: { campaigns: Dashboard["active_campaigns"] }) {
  const titleId = useId();
  const { mayOpen } = useMay();
  return (
    <section
      aria-labelledby={titleId}
      className="flex flex-col rounded-card bg-surface p-5 shadow-card sm:p-6"
    >
      <h2 id={titleId} className="text-xl">
        {copy.title}
      </h2>
      {campaigns.length === 0 ? (
        <p className="mt-4 text-muted">{copy.empty}</p>
      ) : (
        <ul className="mt-3 divide-y divide-line">
          {campaigns.map((campaign) => {
            const { id, name, scans } = campaign;
            return (
              <li key={id} className="flex items-center justify-between gap-4 py-2">
                <div className="min-w-0">
                  <Link
                    to="/campaigns/$campaignId"
                    params={{ campaignId: id }}
                    className="inline-flex min-h-11 max-w-full items-center font-semibold underline decoration-line decoration-2 underline-offset-4 hover:decoration-violet"
                  >
                    <span className="min-w-0 wrap-anywhere">{name}</span>
                  </Link>
                  <p className="text-sm text-muted tabular-nums">{copy.scans(scans)}</p>
                </div>
                <CampaignBadges campaign={campaign} />
              </li>
            );
          })}
        </ul>
      )}
      {mayOpen("/campaigns") && (
        <Link
          to="/campaigns"
          className={`mt-auto self-start -mb-2 -ml-4 text-violet ${buttonClass({ variant: "quiet" })}`}
        >
          {copy.all}
        </Link>
      )}
    </section>
  );
}
