import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import type { Failure } from "../api.ts";
import { PublicReviewLink } from "../endings/public-review-link.tsx";
import { Notice } from "../parts/notice.tsx";
import { LazyPresence } from "../presence/lazy-presence.tsx";
import { describeFailure } from "../refusals/failures.ts";
import { isRefusal } from "../refusals/refusal.ts";
import { isOver } from "./is-over.ts";

type SpinProblemProps = { failure: Failure; campaign: PublicCampaign; onProven: () => void };

/** Why the wheel did not turn, and what to do about it. */
export function SpinProblem({ failure, campaign, onProven }: SpinProblemProps) {
  if (isRefusal(failure, "presence_missing")) {
    return <LazyPresence campaign={campaign} onProven={onProven} />;
  }
  const { title, hint } = describeFailure(failure, "wheel_failed");
  if (!isOver(failure)) {
    return (
      <Notice look="problem" title={title}>
        {hint !== "" && <p>{hint}</p>}
      </Notice>
    );
  }
  return (
    <>
      <div role="alert">
        <Notice look="caution" title={title} />
      </div>
      <PublicReviewLink campaign={campaign} look="secondary" reviewId={null} />
    </>
  );
}
