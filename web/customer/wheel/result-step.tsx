import { type ReactNode, useEffect } from "react";
import type { SpinResult } from "#domain/schemas/journey.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { storeMark } from "../../ui/wheel/store-mark.ts";
import { WheelPicture } from "../../ui/wheel/wheel-picture.tsx";
import { whenAgain } from "../endings.ts";
import { CalendarButton } from "../keep/calendar-button.tsx";
import { keepCopy } from "../keep/keep.copy.ts";
import { keepOffline } from "../keep/keep-offline.ts";
import { MailButton } from "../keep/mail-button.tsx";
import { usePrizeState } from "../keep/use-prize-state.ts";
import { Icon } from "../parts/icon.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { Ticket } from "../ticket.tsx";
import { followingStepCopy } from "./following-step.copy.ts";
import { wheelCopy } from "./wheel.copy.ts";
import { wheelFor } from "./wheel-for.ts";

/** What a losing segment wears unless the merchant chose otherwise (specification, section 9). */
const NO_LUCK_COLOR = "#6B7280";

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

/** The wheel's colours without its greys, which mean no luck. */
function festive({ segments }: PublicCampaign): string[] {
  const colors = segments.map(({ color }) => color);
  return colors.filter((color) => color.toUpperCase() !== NO_LUCK_COLOR);
}

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
  const { segments, stopAt } = wheelFor(campaign.segments, result);
  const hasWon = reward !== null;

  useEffect(() => {
    if (hasWon && isFresh) {
      celebrate(festive(campaign)).catch(() => {});
    }
  }, [hasWon, isFresh, campaign]);

  const isReal = code !== null && !isTest;
  const { stamp } = usePrizeState(campaign.id, result, campaign.store, isReal && !isFresh);
  useEffect(() => {
    if (isReal && isKept)
      keepOffline(campaign.slug, () => import("../keep/kept-page.tsx")).catch(() => {});
  }, [isReal, isKept, campaign.slug]);

  const { title } = hasWon ? followingStepCopy.win : followingStepCopy.loss;
  return (
    <section className="flex grow flex-col gap-4">
      <StepTitle takesFocus={isFresh}>{title}</StepTitle>
      {hasWon ? (
        <>
          <div className={isFresh ? "animate-drop" : ""}>
            <Ticket result={result} store={campaign.store} isTest={isTest} stamp={stamp} />
          </div>
          {code === null && <p>{followingStepCopy.win.credited}</p>}
          {isReal && stamp === null && (
            <>
              <CalendarButton result={result} store={campaign.store} />
              <MailButton campaignId={campaign.id} result={result} />
            </>
          )}
          {isReal && (
            <p className="flex gap-2 text-base">
              <Icon name={isKept ? "phone" : "alert"} className="mt-0.5 size-5" />
              {isKept ? followingStepCopy.win.kept : followingStepCopy.win.notKept}
            </p>
          )}
          {isReal && isKept && (
            <a
              href={`/c/${campaign.slug}/gain`}
              className="min-h-11 w-fit content-center text-base font-bold underline underline-offset-4"
            >
              {keepCopy.page}
            </a>
          )}
        </>
      ) : (
        <>
          <p className="text-pretty">
            {followingStepCopy.loss.thanks} {whenAgain(campaign, new Date())}
          </p>
          <p className="text-base text-muted">{wheelCopy.stopped(label)}</p>
          <WheelPicture
            segments={segments}
            mark={storeMark(campaign.store.name)}
            className="mx-auto my-4 w-3/5 max-w-60"
            {...(stopAt !== null && { chosen: stopAt })}
          />
        </>
      )}
      {children}
    </section>
  );
}
