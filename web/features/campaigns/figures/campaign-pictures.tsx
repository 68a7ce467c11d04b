import type { CampaignStats } from "#domain/schemas/campaign-stats.ts";
import { VisitFunnel } from "../../../ui/charts/visit-funnel.tsx";
import { VisitTrend } from "../../../ui/charts/visit-trend.tsx";
import { CampaignEarnings } from "./campaign-earnings.tsx";

type CampaignPicturesProps = NonNullable<CampaignStats["advanced"]> & { storeName: string };

/** What the plan adds to the figures: the last 30 days, the way to the till, and what it brings in. */
export function CampaignPictures(props: CampaignPicturesProps) {
  const { days, funnel, return: earned, storeName } = props;
  return (
    <>
      <VisitTrend days={days} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <VisitFunnel funnel={funnel} />
        <CampaignEarnings earned={earned} storeName={storeName} />
      </div>
    </>
  );
}
