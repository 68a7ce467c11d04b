import { offersReviewPage } from "#domain/rules/review-flow.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { recordReviewClick } from "../api.ts";
import { Action } from "../parts/action.tsx";
import { Icon } from "../parts/icon.tsx";
import { reviewHostOf, reviewUrlOf } from "../review-flow/review-url.ts";
import { endingsCopy as copy } from "./endings.copy.ts";

type PublicReviewLinkProps = {
  campaign: PublicCampaign;
  look: "primary" | "secondary";
  /** The review that led here; null where there is none to count the visit for. */
  reviewId: string | null;
};

/**
 * The store's public reviews page, where the mode offers it: to everybody alike, whatever the rating and whatever the
 * draw. Nothing otherwise.
 */
export function PublicReviewLink({ campaign, look, reviewId }: PublicReviewLinkProps) {
  const url = reviewUrlOf(campaign);
  if (url === null || !offersReviewPage(campaign.review_mode, true)) return null;
  const host = reviewHostOf(campaign);

  function count() {
    if (reviewId !== null) recordReviewClick({ review_id: reviewId, campaign_id: campaign.id });
  }

  return (
    <div>
      <Action look={look} href={url} target="_blank" onClick={count}>
        {copy.leaveReview}
        <Icon name="external" />
      </Action>
      {host && (
        <p className="mt-1 text-center text-sm text-muted wrap-anywhere">{copy.where(host)}</p>
      )}
    </div>
  );
}
