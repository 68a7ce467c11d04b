import type { ReactNode } from "react";
import { usePageTitle } from "../../lib/page-title.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { ReviewInbox } from "./inbox/review-inbox.tsx";
import { reviewsCopy as copy } from "./reviews.copy.ts";
import type { InboxView } from "./reviews.queries.ts";

type ReviewsPageProps = {
  orgId: string;
  view: InboxView;
  onView: (view: InboxView) => void;
  /** Shown below a bad review that is open. */
  question: ReactNode;
};

/** `/reviews`: the inbox of all campaigns. */
export function ReviewsPage(props: ReviewsPageProps) {
  usePageTitle(copy.title);
  return (
    <ReviewInbox
      {...props}
      header={(actions) => (
        <PageHeader title={copy.title} text={copy.text} isAside>
          {actions}
        </PageHeader>
      )}
    />
  );
}
