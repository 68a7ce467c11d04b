import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import type { Dashboard, UnseenReview } from "#domain/schemas/back-office.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMay } from "../../../lib/use-may.ts";
import { useWorkspace } from "../../../lib/workspace.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { WheelMark } from "../../../ui/wheel-mark.tsx";
import { dashboardCopy } from "../dashboard.copy.ts";
import { nextSteps, type Step } from "./next-steps.ts";
import { ReviewLine } from "./review-line.tsx";
import { reviewLines } from "./unseen-reviews.ts";

const copy = dashboardCopy.next;

/** The dashboard opens on what to do next: the most urgent large, the others below it. */
export function NextStepsCards({ dashboard }: { dashboard: Dashboard }) {
  const { mayOpen } = useMay();
  const workspace = useWorkspace();
  const hasStore = workspace?.stores.length !== 0;
  const isOpen = workspace?.plan?.is_open !== false;
  const [seen, setSeen] = useState<readonly UnseenReview[]>([]);
  const { count, items } = dashboard.todo.unseen_reviews;
  const lines = reviewLines(items, seen);
  const [first, ...others] = nextSteps(dashboard, new Date(), mayOpen, { lines, hasStore, isOpen });
  if (!first) return null;

  const mark = (review: UnseenReview, isSeen: boolean) => {
    const rest = seen.filter(({ id }) => id !== review.id);
    setSeen(isSeen ? [...rest, review] : rest);
  };
  const list = (
    <>
      <ul
        aria-label={copy.badReview.list}
        className="mt-4 lg:grid lg:grid-cols-[repeat(auto-fit,minmax(16rem,1fr))] lg:gap-x-8"
      >
        {lines.map(({ review, isSeen }) => (
          <ReviewLine
            key={review.id}
            review={review}
            isSeen={isSeen}
            onSeen={(next) => mark(review, next)}
          />
        ))}
      </ul>
      {count > items.length &&
        (mayOpen("/reviews") ? (
          <Link
            to="/reviews"
            className={`mt-4 -mb-2 -ml-4 text-violet ${buttonClass({ variant: "quiet" })}`}
          >
            {copy.badReview.all}
          </Link>
        ) : (
          <p className="mt-4 text-sm text-muted">
            {copy.badReview.more(formatNumber(count - items.length))}
          </p>
        ))}
    </>
  );
  const small = others.filter(({ isReviews }) => !isReviews);
  return (
    <div className="grid gap-3 sm:gap-4">
      <FirstStep step={first}>{first.isReviews && list}</FirstStep>
      {others.map(
        ({ title, isReviews }) =>
          isReviews && (
            <section key={title} className="rounded-card bg-surface p-5 shadow-card sm:p-6">
              <h2 className="text-xl">{title}</h2>
              {list}
            </section>
          ),
      )}
      {small.length > 0 && (
        <ul
          aria-label={copy.others}
          className="grid gap-3 sm:gap-4 md:grid-cols-[repeat(auto-fit,minmax(16rem,1fr))]"
        >
          {small.map(({ title, text, link }) => (
            <li key={title} className="flex flex-col rounded-card bg-surface p-5 shadow-card">
              <h3 className="font-display text-lg font-bold">{title}</h3>
              <p className="mt-1 text-pretty text-muted">{text}</p>
              {link && (
                <Link
                  {...link.options}
                  className={`mt-auto -mb-2 -ml-4 self-start text-violet ${buttonClass({ variant: "quiet" })}`}
                >
                  {link.action}
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type FirstStepProps = {
  step: Step;
  /** Reviews, each with what to do about it. */
  children: ReactNode;
};

function FirstStep({ step: { title, text, link, isReviews }, children }: FirstStepProps) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className="relative overflow-hidden rounded-card bg-violet-soft p-5 sm:p-8"
    >
      {!isReviews && (
        <WheelMark className="pointer-events-none absolute -right-14 -bottom-20 hidden w-60 rotate-12 sm:block lg:right-6" />
      )}
      <div className={isReviews ? "" : "relative max-w-lg sm:pr-24 lg:pr-0"}>
        <p className="font-semibold text-muted">{copy.label}</p>
        <h2 id={titleId} className="mt-1 text-2xl">
          {title}
        </h2>
        {text && <p className="mt-2 text-lg text-pretty">{text}</p>}
        {children}
        {link && (
          <div className="mt-5 flex flex-wrap gap-3 max-[480px]:*:w-full">
            <Link {...link.options} className={buttonClass()}>
              {link.action}
            </Link>
          </div>
        )}
      </div>
    </section>
  );
}
