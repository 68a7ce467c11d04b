import { type ReactNode, useState } from "react";
import { storeMark } from "../../ui/wheel/store-mark.ts";
import { customerCopy } from "../customer.copy.ts";

type PageFrameProps = {
  /** Head of the page; null on a page of no store. */
  campaign: { name: string; store: { name: string } } | null;
  /** Which third of the journey this is; none where there is no journey. */
  progress?: 1 | 2 | 3 | undefined;
  /** Which step is shown; none on a page that has no steps. */
  step?: string | undefined;
  /** Event that screen readers say aloud without moving the focus. */
  status?: string | undefined;
  children: ReactNode;
};

/** The store, how far one is, and the step. */
export function PageFrame({ campaign, progress, step, status = "", children }: PageFrameProps) {
  // A change of step starts the other of two like animations (`customer.css`): the second tap of a hasty thumb does nothing.
  // The form follows a scan; every other step follows a tap, on this page or on the one before.
  const [shown, setShown] = useState({ step, turn: step === "form" ? "none" : "even" });
  if (shown.step !== step) setShown({ step, turn: shown.turn === "even" ? "odd" : "even" });
  return (
    <>
      {campaign !== null && (
        <header className="flex flex-wrap items-center gap-3 px-4 pt-3 sm:px-6">
          <span
            aria-hidden="true"
            className="group-has-data-[logo]/page:hidden grid size-11 shrink-0 place-items-center rounded-full border-5 border-ink bg-surface text-lg leading-none font-bold"
          >
            {storeMark(campaign.store.name)}
          </span>
          <div dir="auto" className="min-w-0 grow basis-32 text-left">
            <p className="line-clamp-1 short:line-clamp-2 tall:line-clamp-2 text-lg leading-tight font-bold">
              {campaign.store.name}
            </p>
            <p className="line-clamp-1 short:line-clamp-2 tall:line-clamp-2 text-sm text-muted">
              {campaign.name}
            </p>
          </div>
          {progress !== undefined && <Progress step={progress} />}
        </header>
      )}
      <main
        className="flex grow flex-col px-4 pt-5 sm:px-6"
        data-progress={progress}
        data-settles={step === undefined ? undefined : shown.turn}
      >
        {children}
      </main>
      <p role="status" className="sr-only">
        {status}
      </p>
    </>
  );
}

const STEPS = 3;

/** Three segments of a ring, with a gap between them; the ring is 100 units around. */
const LENGTH = 100 / STEPS;
const GAP = 7;

/** How far the journey is: segments of a wheel that fill. */
function Progress({ step }: { step: number }) {
  const label = customerCopy.progress(step, STEPS);
  return (
    <p className="flex shrink-0 items-center gap-2 text-sm text-muted">
      <svg viewBox="0 0 38 38" className="size-9 -rotate-90" role="img" aria-label={label}>
        {Array.from({ length: STEPS }, (_, index) => index + 1).map((segment) => (
          <circle
            key={segment}
            cx="19"
            cy="19"
            r="15.915"
            fill="none"
            strokeWidth="6"
            strokeDasharray={`${LENGTH - GAP} ${100 - LENGTH + GAP}`}
            strokeDashoffset={-((segment - 1) * LENGTH + GAP / 2)}
            className={`transition-colors duration-500 ${segment <= step ? "stroke-violet" : "stroke-line"}`}
          />
        ))}
      </svg>
      <span aria-hidden="true">
        {step}/{STEPS}
      </span>
    </p>
  );
}
