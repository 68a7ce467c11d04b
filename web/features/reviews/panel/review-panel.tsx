import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useApp } from "../../../lib/app-context.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { reviewsCopy } from "../reviews.copy.ts";
import { reviewQuery } from "../reviews.queries.ts";
import { OpenReview, type OpenReviewProps } from "./open-review.tsx";
import { reviewPanelCopy as copy } from "./review-panel.copy.ts";

type ReviewPanelProps = Omit<OpenReviewProps, "review"> & {
  reviewId: string;
  onBack: () => void;
};

/** One review, beside the list or in its place. */
export function ReviewPanel(props: ReviewPanelProps) {
  const { supabase } = useApp();
  const query = useQuery(reviewQuery(supabase, props.reviewId));
  const review = query.data;
  return (
    <section aria-label={copy.label} className="grid gap-4">
      <Button variant="quiet" className="-ml-4 justify-self-start lg:hidden" onClick={props.onBack}>
        <ArrowLeft aria-hidden="true" className="size-5" />
        {copy.back}
      </Button>
      {review ? (
        <OpenReview {...props} review={review} />
      ) : review === null ? (
        <EmptyState title={reviewsCopy.missing.title} text={reviewsCopy.missing.text}>
          <Button variant="secondary" onClick={props.onBack}>
            {copy.back}
          </Button>
        </EmptyState>
      ) : query.isError ? (
        <LoadProblem
          title={copy.label}
          text={loadFailure(query.error, copy.loadFailed)}
          isRetrying={query.isFetching}
          onRetry={() => query.refetch()}
        />
      ) : (
        <ListSkeleton />
      )}
    </section>
  );
}
