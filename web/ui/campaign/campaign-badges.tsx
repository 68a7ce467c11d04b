import { type CampaignDates, campaignState } from "#domain/rules/campaign-state.ts";
import { Badge } from "../badge.tsx";
import { campaignBadgesCopy as copy } from "./campaign-badges.copy.ts";

/** Data that the badges of a campaign need; whether something can be won where that is known. */
type Badged = CampaignDates & { has_prize?: boolean };

/** Whether a campaign is switched on (specification, section 2.13), and what its dates make of that. */
export function CampaignBadges({ campaign }: { campaign: Badged }) {
  const state = campaignState(campaign, new Date());
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Badge tone={state === "running" ? "good" : "neutral"}>
        {state === "inactive" ? copy.inactive : copy.active}
      </Badge>
      {state === "scheduled" && <Badge tone="violet">{copy.scheduled}</Badge>}
      {campaign.has_prize === false && (state === "running" || state === "scheduled") && (
        <Badge tone="careful">{copy.noPrize}</Badge>
      )}
      {state === "over" && <Badge tone="careful">{copy.over}</Badge>}
    </span>
  );
}
