import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { BAD_RATING } from "#domain/rules/constants.ts";
import type { ReviewInbox as InboxPage } from "#domain/schemas/reviews.ts";
import { useApp } from "../../../lib/app-context.ts";
import { useKeptList } from "../../../lib/lists/use-kept-list.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { useMay } from "../../../lib/use-may.ts";
import { ExportButton } from "../../../ui/lists/export-button.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { StaleNotice } from "../../../ui/states/stale-notice.tsx";
import { useLeaveWarning } from "../../../ui/unsaved/use-leave-warning.tsx";
import { ReviewPanel } from "../panel/review-panel.tsx";
import { reviewsCopy as copy } from "../reviews.copy.ts";
import { type InboxView, inboxQuery, reviewQuery } from "../reviews.queries.ts";
import { ReviewList } from "./review-list.tsx";
import { ShortcutHint, useShortcuts } from "./shortcuts.tsx";

type ReviewInboxProps = {
  orgId: string;
  view: InboxView;
  onView: (view: InboxView) => void;
  /** The campaign whose reviews alone are shown; those of all without. */
  campaignId?: string;
  /** Header above the list, with the page's actions; on a phone not above a review that is read. Without one they stand beside the search. */
  header?: (actions: ReactNode) => ReactNode;
  /** Shown below a bad review that is open. */
  question?: ReactNode;
};

/** Inbox of reviews, read and dealt with one after the other. */
export function ReviewInbox(props: ReviewInboxProps) {
  const { orgId, view, onView, campaignId, header, question } = props;
  const { supabase } = useApp();
  const mayAnswer = useMay().may("reviews.write");
  const inbox = useKeptList(useQuery(inboxQuery(supabase, orgId, view)));
  const list = inbox.data;
  const items = list?.items ?? [];
  const { review, filters } = view;
  const isEmpty = list !== undefined && items.length === 0 && review === undefined;
  const place = useRef<HTMLDivElement>(null);
  const answers = useDrafts(review);
  const notes = useDrafts(review);
  const leaveWarning = useLeaveWarning(answers.areBegun || notes.areBegun, true);

  const open = (id: string | undefined, { isAnswering = false } = {}) =>
    onView({ ...view, review: id, isAnswering });
  const { read, current, next, step } = useReading(items, review, open);
  const shortcuts = useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    r: () => mayAnswer && review && open(review, { isAnswering: true }),
    e: () => place.current?.querySelector<HTMLButtonElement>("[data-key=e]")?.click(),
  });

  if (inbox.isError && !list) {
    return (
      <LoadProblem
        text={loadFailure(inbox.error, copy.loadFailed)}
        isRetrying={inbox.isFetching}
        onRetry={() => inbox.refetch()}
      />
    );
  }
  const exporting = (
    <ExportButton
      label={copy.export}
      isIncluded={list?.can_export ?? true}
      order={{ type: "reviews", org_id: orgId, filters }}
    />
  );
  return (
    <div className="grid gap-6">
      {header && (
        <div className={review ? "max-lg:sr-only" : ""}>
          {header(<div className={review ? "grid max-lg:hidden" : "grid"}>{exporting}</div>)}
        </div>
      )}
      <StaleNotice query={inbox} sentence={copy.loadFailed} />
      <div
        ref={place}
        className={`grid items-start gap-6 ${isEmpty ? "" : "lg:grid-cols-[minmax(20rem,25rem)_minmax(0,1fr)]"}`}
      >
        <ReviewList
          orgId={orgId}
          view={view}
          onView={onView}
          campaignId={campaignId}
          list={list}
          isStale={inbox.isStale}
          isEmpty={isEmpty}
          current={current}
          onOpen={(id) => open(id)}
          action={header ? null : exporting}
        />
        <div
          key={review}
          className={`grid min-w-0 gap-4 lg:sticky lg:top-2 lg:-m-4 lg:max-h-[calc(100dvh-1rem)] lg:overflow-y-auto lg:p-4 ${review ? "" : "max-lg:hidden"} ${isEmpty ? "hidden" : ""}`}
        >
          {review ? (
            <ReviewPanel
              orgId={orgId}
              reviewId={review}
              isAnswering={view.isAnswering}
              draft={answers.draft}
              onDraft={answers.onDraft}
              note={notes.draft}
              onNote={notes.onDraft}
              onAnswering={(isAnswering) => open(review, { isAnswering })}
              onOpen={(id) => open(id)}
              onNext={next && next.id !== current ? () => open(next.id) : null}
              onBack={() => open(undefined)}
            />
          ) : (
            <p className="grid min-h-64 place-items-center rounded-card border-2 border-dashed border-line p-6 text-center text-muted">
              {copy.none}
            </p>
          )}
          {review && read && read.rating <= BAD_RATING && question}
          <ShortcutHint {...shortcuts} />
        </div>
      </div>
      {leaveWarning}
    </div>
  );
}

/** Texts that were begun, by review: going to another one and back loses no word. */
function useDrafts(review = "") {
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({});
  return {
    draft: drafts[review],
    areBegun: Object.keys(drafts).length > 0,
    onDraft: (text: string | null, sent?: string) =>
      setDrafts((drafts) => {
        const { [review]: draft, ...others } = drafts;
        if (text !== null) return { ...others, [review]: text };
        // Text that was typed while another was sent stays.
        return sent === undefined || sent === draft ? others : drafts;
      }),
  };
}

/** The review that is read, its place in the list, and the way to the ones around it. */
function useReading(
  items: InboxPage["items"],
  review: string | undefined,
  onOpen: (id: string) => void,
) {
  const { supabase } = useApp();
  // A link from elsewhere may name it by another identifier than the list.
  const { data: read } = useQuery({
    ...reviewQuery(supabase, review ?? ""),
    enabled: review !== undefined,
  });
  const current = read?.id ?? review;
  const index = items.findIndex(({ id }) => id === current);
  // Where a review has left the list, the next one has taken its place.
  const lastIndex = useRef(0);
  if (index >= 0) lastIndex.current = index;

  // The row that is read stays in sight while one goes through the list.
  useEffect(() => {
    if (current) document.getElementById(`review-${current}`)?.scrollIntoView({ block: "nearest" });
  }, [current]);

  return {
    read,
    current,
    // A review that was dealt with may still be in the list, or have left it.
    next: items[index >= 0 ? index + 1 : lastIndex.current] ?? items[0],
    step: (by: number) => {
      const at = index >= 0 ? index + by : review ? lastIndex.current + Math.min(by, 0) : 0;
      const target = items[at];
      if (target) onOpen(target.id);
    },
  };
}
