import { Link } from "@tanstack/react-router";
import type { CampaignStats } from "#domain/schemas/campaign-stats.ts";
import { formatNumber } from "../../../lib/format.ts";
import { campaignFiguresCopy } from "./campaign-figures.copy.ts";

const copy = campaignFiguresCopy.rewards;

/** The rewards whose codes came back most. */
export function TopRewards({ rewards }: { rewards: CampaignStats["top_rewards"] }) {
  const most = Math.max(1, ...rewards.map(({ redemptions }) => redemptions));
  return (
    <section className="rounded-card bg-surface p-5 shadow-card sm:p-6">
      <h2 className="text-xl">{copy.title}</h2>
      {rewards.length === 0 ? (
        <p className="mt-4 text-muted">{copy.empty}</p>
      ) : (
        <ol aria-label={copy.title} className="mt-3 grid gap-3">
          {rewards.map(({ id, name, redemptions }) => (
            <li key={id} className="grid gap-1">
              <div className="flex flex-wrap items-center justify-between gap-x-4">
                <Link
                  to="/rewards/$rewardId/stats"
                  params={{ rewardId: id }}
                  className="inline-flex min-h-11 items-center font-semibold wrap-anywhere underline decoration-line decoration-2 underline-offset-4 hover:decoration-violet"
                >
                  {name}
                </Link>
                <span className="text-muted tabular-nums">
                  {copy.uses(formatNumber(redemptions), redemptions < 2)}
                </span>
              </div>
              <svg
                viewBox="0 0 100 4"
                preserveAspectRatio="none"
                aria-hidden="true"
                className="block h-2.5 w-full rounded-full bg-line [print-color-adjust:exact]"
              >
                <rect width={(redemptions / most) * 100} height={4} className="fill-mint" />
              </svg>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
