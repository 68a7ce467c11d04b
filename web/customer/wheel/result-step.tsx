import { type ReactNode, useEffect } from "react";
import type { PublicCampaign, SpinResult } from "#domain/journey.ts";
import { Icon } from "../parts/icon.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { Ticket } from "../ticket.tsx";
import { laterCopy } from "./later-step.copy.ts";
import { wheelCopy } from "./wheel.copy.ts";

type ResultStepProps = {
  result: SpinResult;
  campaign: PublicCampaign;
  isTest: boolean;
  /** Whether the phone keeps the code. */
  isKept: boolean;
  /** The wheel has just stopped: the moment to celebrate. */
  isFresh: boolean;
  children: ReactNode;
};

/** A short burst from behind the ticket; never a condition of anything. */
async function celebrate(colors: string[]) {
  const { default: confetti } = await import("canvas-confetti");
  // Its worker would start from a blob, which the page's security policy forbids.
  const fire = confetti.create(undefined, { resize: true, useWorker: false });
  await fire({
    particleCount: 110,
    spread: 80,
    startVelocity: 42,
    origin: { y: 0.35 },
    colors,
    disableForReducedMotion: true,
  });
  fire.reset();
}

/** What the draw gave: the ticket, or a kind word. */
export function ResultStep({
  result,
  campaign,
  isTest,
  isKept,
  isFresh,
  children,
}: ResultStepProps) {
  const { reward, redemption_code: code, segment_label: label } = result;
  const hasWon = reward !== null;

  useEffect(() => {
    if (hasWon && isFresh) {
      celebrate(campaign.segments.map(({ color }) => color)).catch(() => {});
    }
  }, [hasWon, isFresh, campaign]);

  const { title } = hasWon ? laterCopy.win : laterCopy.loss;
  return (
    <section className="flex grow flex-col gap-4">
      <StepTitle takesFocus={isFresh}>{title}</StepTitle>
      {hasWon ? (
        <>
          <div className={isFresh ? "animate-drop" : ""}>
            <Ticket result={result} store={campaign.store.name} isTest={isTest} />
          </div>
          {code === null && <p>{laterCopy.win.credited}</p>}
          {code !== null && !isTest && (
            <p className="flex gap-2 text-base">
              <Icon name={isKept ? "phone" : "alert"} className="mt-0.5 size-5" />
              {isKept ? laterCopy.win.kept : laterCopy.win.notKept}
            </p>
          )}
        </>
      ) : (
        <>
          <p>{wheelCopy.stopped(label)}</p>
          <p>{laterCopy.loss.thanks}</p>
        </>
      )}
      {children}
    </section>
  );
}
