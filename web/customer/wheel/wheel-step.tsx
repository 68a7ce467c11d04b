import { type ReactNode, useEffect, useRef } from "react";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { storeMark } from "../../ui/wheel/store-mark.ts";
import { Wheel } from "../../ui/wheel/wheel.tsx";
import type { createWheelRunner } from "../../ui/wheel/wheel-runner.ts";
import { Action } from "../parts/action.tsx";
import { BottomBar } from "../parts/bottom-bar.tsx";
import { Notice } from "../parts/notice.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { isRefusal } from "../refusals/refusal.ts";
import { isOver } from "./is-over.ts";
import type { PlayState } from "./play-state.ts";
import { wheelCopy } from "./wheel.copy.ts";
import { wheelFor } from "./wheel-for.ts";

const copy = wheelCopy.ready;

type WheelStepProps = {
  state: PlayState;
  campaign: PublicCampaign;
  createRunner: typeof createWheelRunner | null;
  isLive: boolean;
  takesFocus: boolean;
  /** Why the last spin did not succeed. */
  problem: ReactNode;
  /** Switch of the ticking; shown once the page was touched. */
  soundSwitch: ReactNode;
  onPeg: () => void;
  onSpin: () => void;
  onStopped: () => void;
  onEditContact: () => void;
};

/** The wheel, before and while it turns. */
export function WheelStep({
  state,
  campaign,
  createRunner,
  isLive,
  takesFocus,
  problem,
  soundSwitch,
  onPeg,
  onSpin,
  onStopped,
  onEditContact,
}: WheelStepProps) {
  const { step, mode, failure, result } = state;
  const isSpinning = step === "spinning";
  const wheel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone held sideways the button is in sight when the wheel is not.
    if (isSpinning) wheel.current?.scrollIntoView({ block: "nearest" });
  }, [isSpinning]);
  const { segments, stopAt } = wheelFor(campaign.segments, result);
  const isResting = mode !== "test" && !campaign.wheel_open && failure === null;
  const label = failure === null ? copy.spin : copy.retry;
  const isClosed = isResting || isOver(failure);
  const title = isClosed ? copy.titleOver : copy.title;
  return (
    <section className="flex grow flex-col gap-3 flat:grid flat:grid-cols-2 flat:grid-rows-[repeat(7,auto)_1fr] flat:gap-x-6">
      <StepTitle takesFocus={takesFocus}>{isSpinning ? wheelCopy.spinning.title : title}</StepTitle>
      <p>
        {copy.chance}{" "}
        <a
          href={`/c/${campaign.slug}/reglement`}
          className={`${isSpinning ? "invisible " : ""}inline-block font-bold underline underline-offset-4`}
        >
          {copy.rules}
        </a>
      </p>
      <p className="sr-only">
        {copy.lots} {segments.map((segment) => segment.label).join(", ")}
      </p>
      {problem}
      {isResting && (
        <Notice look="caution" title={copy.resting}>
          <p>{copy.restingHint}</p>
        </Notice>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button below is for everybody; thumbs also tap the wheel. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button below answers to keys. */}
      <div
        ref={wheel}
        className={`-mx-2 -scroll-mb-14 pt-4 pb-2 transition-opacity flat:col-start-2 flat:row-span-8 flat:row-start-1 flat:-mt-11 flat:pt-2 ${isClosed ? "opacity-40" : ""}`}
        onClick={isClosed ? undefined : onSpin}
      >
        <Wheel
          mark={storeMark(campaign.store.name)}
          segments={segments}
          createRunner={createRunner}
          isTurning={isSpinning}
          stopAt={stopAt}
          onStopped={onStopped}
          onPeg={onPeg}
          onFlick={isClosed ? undefined : onSpin}
          className="mx-auto w-full wheel-room overflow-x-clip [view-transition-name:wheel]"
        />
      </div>
      {!isClosed && !isRefusal(failure, "presence_missing") && (
        <BottomBar>
          <Action isBusy={isSpinning} isWaiting={!isLive} onClick={onSpin}>
            {isSpinning ? wheelCopy.spinning.wait : label}
          </Action>
        </BottomBar>
      )}
      {!isClosed && soundSwitch}
      {mode === "libre" && failure !== null && (
        <Action look="quiet" onClick={onEditContact}>
          {copy.editContact}
        </Action>
      )}
    </section>
  );
}
