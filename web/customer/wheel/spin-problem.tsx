import { useEffect, useRef } from "react";
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
  const place = useRef<HTMLDivElement>(null);
  // The page was scrolled to the wheel, which stays where it is when a sentence comes in above.
  useEffect(() => {
    place.current?.scrollIntoView({ block: "center" });
  }, []);
  if (isRefusal(failure, "presence_missing")) {
    return <LazyPresence campaign={campaign} onProven={onProven} />;
  }
  const { title, hint } = describeFailure(failure, "wheel_failed");
  if (!isOver(failure)) {
    return (
      <div ref={place}>
        <Notice look="problem" title={title}>
          {hint !== "" && <p>{hint}</p>}
        </Notice>
      </div>
    );
  }
  return (
    <>
      <div ref={place} role="alert">
        <Notice look="caution" title={title} />
      </div>
      <PublicReviewLink campaign={campaign} look="secondary" reviewId={null} />
    </>
  );
}
