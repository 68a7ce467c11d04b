import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import type { SpinResult } from "#domain/schemas/journey.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { storeMark } from "../../ui/wheel/store-mark.ts";
import { WheelPicture } from "../../ui/wheel/wheel-picture.tsx";
import { whenAgain } from "../endings/endings.ts";
import { CalendarButton } from "../keep/calendar-button.tsx";
import { keepCopy } from "../keep/keep.copy.ts";
import { keepOffline } from "../keep/keep-offline.ts";
import { MailButton } from "../keep/mail-button.tsx";
import { usePrizeState } from "../keep/use-prize-state.ts";
import { Icon } from "../parts/icon.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { Ticket } from "../parts/ticket.tsx";
import { LazyPoints } from "../points/lazy-points.tsx";
import { followingStepCopy } from "./following-step.copy.ts";
import { unbroken } from "./unbroken.ts";
import { wheelCopy } from "./wheel.copy.ts";
import { pictureOf, wheelFor } from "./wheel-for.ts";
import type { WinScene } from "./win-scene.ts";

const loadKeptPage = () => import("../keep/kept-page.tsx");

type ResultStepProps = {
  result: SpinResult;
  campaign: PublicCampaign;
  isTest: boolean;
  /** Whether the phone keeps the code. */
  isKept: boolean;
  /** The wheel has just stopped: the moment to celebrate. */
  isFresh: boolean;
  firstName: string;
  /** Celebrates a win that was just drawn; null where it shows at once. */
  scene: WinScene | null;
  children: ReactNode;
};

/** Result of the draw: the ticket, or a kind word. */
export function ResultStep({
  result,
  campaign,
  isTest,
  isKept,
  isFresh,
  firstName,
  scene,
  children,
}: ResultStepProps) {
  const { reward, redemption_code: code, segment_label: label } = result;
  const { segments, stopAt } = wheelFor(campaign.segments, result);
  const hasWon = reward !== null;

  const section = useRef<HTMLElement>(null);
  // Before the first picture: nothing is seen that the scene has yet to show.
  useLayoutEffect(() => {
    if (section.current !== null) return scene?.play(section.current);
  }, [scene]);

  const isReal = code !== null && !isTest;
  const { stamp, store } = usePrizeState(campaign.id, result, campaign.store, isReal, isFresh);
  useEffect(() => {
    if (isReal && isKept) keepOffline(campaign.slug, loadKeptPage).catch(() => {});
  }, [isReal, isKept, campaign.slug]);

  const { win, loss } = followingStepCopy;
  const prizesLink = (
    <a
      href={`/c/${campaign.slug}/gain`}
      className="-my-1 min-h-11 w-fit content-center text-base font-bold underline underline-offset-4"
    >
      {keepCopy.page}
    </a>
  );
  return (
    <section ref={section} className="flex grow flex-col gap-4">
      <StepTitle takesFocus={isFresh}>
        {hasWon ? win.title(firstName, unbroken(reward.name)) : loss.title}
      </StepTitle>
      {hasWon ? (
        <>
          <div className={isFresh && scene === null ? "animate-drop" : ""}>
            <Ticket
              result={result}
              store={store}
              picture={pictureOf(campaign, result)}
              isTest={isTest}
              stamp={stamp}
            />
          </div>
          {code === null && (
            <p>
              {win.credited} {!isTest && whenAgain(campaign, new Date())}
            </p>
          )}
          {code === null && !isTest && (
            <>
              <LazyPoints
                campaignId={campaign.id}
                slug={campaign.slug}
                store={campaign.store}
                loadPage={loadKeptPage}
              />
              {prizesLink}
            </>
          )}
          {isReal && stamp === null && (
            <section className="grid gap-3 rounded-card bg-violet-soft p-3 min-[22rem]:p-4">
              <h2 className="text-lg font-bold">{win.keep}</h2>
              <p className="flex gap-2 text-base">
                <Icon name={isKept ? "phone" : "alert"} className="mt-0.5 size-5" />
                {isKept ? win.kept : win.notKept}
              </p>
              <MailButton campaignId={campaign.id} result={result} />
              <CalendarButton result={result} store={store} />
              {isKept && prizesLink}
            </section>
          )}
          {isReal && stamp !== null && isKept && prizesLink}
        </>
      ) : (
        <>
          <p className="text-pretty">
            {loss.thanks} {whenAgain(campaign, new Date())}
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
