import { type CampaignDates, campaignState } from "#domain/rules/campaign-state.ts";
import { Badge } from "../badge.tsx";
import { campaignBadgesCopy as copy } from "./campaign-badges.copy.ts";

/** Data that the badges of a campaign need; whether it is archived and something can be won where that is known. */
type Badged = CampaignDates & { archived_at?: string | null; has_prize?: boolean };

/** Whether a campaign is switched on (specification, section 2.13), and what its dates make of that. */
export function CampaignBadges({ campaign }: { campaign: Badged }) {
  const state = campaignState(campaign, new Date());
  const off = campaign.archived_at ? copy.archived : copy.inactive;
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Badge tone={state === "running" ? "good" : "neutral"}>
        {state === "inactive" ? off : copy.active}
      </Badge>
      {state === "scheduled" && <Badge tone="violet">{copy.scheduled}</Badge>}
      {campaign.has_prize === false && (state === "running" || state === "scheduled") && (
        <Badge tone="careful">{copy.noPrize}</Badge>
      )}
      {state === "over" && <Badge tone="careful">{copy.over}</Badge>}
    </span>
  );
}
