import { Link } from "@tanstack/react-router";
import type { StoreStats } from "#domain/schemas/stores.ts";
import { formatAverage } from "../../../lib/figures.ts";
import { CampaignBadges } from "../../../ui/campaign/campaign-badges.tsx";
import { storesCopy } from "../stores.copy.ts";
import { storeStatsCopy as copy } from "./store-stats.copy.ts";

/** The campaigns that brought most reviews to a store. */
export function StoreCampaigns({ campaigns }: Pick<StoreStats, "campaigns">) {
  return (
    <section className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <h2 className="text-xl">{copy.campaigns}</h2>
      {campaigns.length === 0 ? (
        <p className="text-muted">{copy.noCampaign}</p>
      ) : (
        <ul className="grid gap-4">
          {campaigns.map((campaign) => {
            const { id, name, scans, reviews, rating_sum } = campaign;
            return (
              <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4">
                <div className="grid min-w-0">
                  <Link
                    to="/campaigns/$campaignId"
                    params={{ campaignId: id }}
                    className="inline-flex min-h-11 items-center font-semibold wrap-anywhere underline decoration-line decoration-2 underline-offset-4 hover:decoration-violet"
                  >
                    {name}
                  </Link>
                  <CampaignBadges campaign={campaign} />
                  <p className="mt-1 text-muted tabular-nums">
                    {copy.campaignFacts(scans, reviews)}
                  </p>
                </div>
                {reviews > 0 && (
                  <p className="font-semibold tabular-nums">
                    {storesCopy.facts.ofFive(formatAverage(rating_sum, reviews))}
                  </p>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
