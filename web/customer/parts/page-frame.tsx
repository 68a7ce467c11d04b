import { type ReactNode, useState } from "react";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { storeMark } from "../../ui/wheel/store-mark.ts";
import { Progress } from "./progress.tsx";

type PageFrameProps = {
  campaign: PublicCampaign | null;
  /** Which third of the journey this is; none where there is no journey. */
  progress?: 1 | 2 | 3 | undefined;
  /** Which step is shown; none on a page that has no steps. */
  step?: string | undefined;
  /** What happened, said aloud by screen readers without moving the focus. */
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
            <p className="truncate text-lg leading-tight font-bold">{campaign.store.name}</p>
            <p className="truncate text-sm text-muted">{campaign.name}</p>
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
