import { useEffect, useRef, useState } from "react";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { customerCopy } from "../customer.copy.ts";
import { useMachineState } from "../machine/use-machine-state.ts";
import { PhoneMemory } from "../memory/phone-memory.tsx";
import { hasRecord, recordKey } from "../memory/storage.ts";
import type { PlayMode } from "../page-data.ts";
import { Icon } from "../parts/icon.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageFrame } from "../parts/page-frame.tsx";
import { useLazyParts } from "../parts/use-lazy-parts.ts";
import { isRefusal } from "../refusals/refusal.ts";
import { hasDraft } from "../review-flow/form-draft.ts";
import type { LazyParts } from "./lazy-parts.ts";
import type { PlayEvent } from "./play-machine.ts";
import { type PlayState, startPlay } from "./play-state.ts";
import { wheelCopy } from "./wheel.copy.ts";

/** A URL cut short by a messenger, or mistyped, is reported at once. */
const REVIEW_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The view of the first step, which differs: the wheel after a review, else a name. */
type FirstViews = {
  NameStep?: LazyParts["NameStep"];
  WheelStep?: LazyParts["WheelStep"];
};

type PlayPageProps = {
  slug: string;
  mode: PlayMode;
  /** Null in a static deployment, where the page fetches it. */
  campaign: PublicCampaign | null;
  first: FirstViews;
  /** Called in a static deployment, once the campaign is there. */
  onCampaign?: (campaign: PublicCampaign) => void;
};

function progressOf({ step, mode }: PlayState): 1 | 2 | 3 | undefined {
  if (step === "error") return undefined;
  if (mode === "review") return 3;
  if (step === "name" || step === "loading") return 1;
  return step === "contact" ? 2 : 3;
}

function statusOf({ step, result }: PlayState): string {
  if (step === "spinning") return wheelCopy.spinning.title;
  // The prize is heard with the title, which takes the focus.
  return step === "result" && result?.reward === null
    ? wheelCopy.stopped(result.segment_label)
    : "";
}

async function loadLazyParts(
  slug: string,
  mode: PlayMode,
  campaign: PublicCampaign | null,
): Promise<LazyParts> {
  const { beginPlay } = await import("./lazy-parts.ts");
  return beginPlay(slug, mode, campaign);
}

/** Whether the page has something to show that the server could not know of. */
function hasMore(mode: PlayMode, { id }: PublicCampaign): boolean {
  if (mode === "test") return false;
  if (mode === "libre") {
    return hasRecord("tab", recordKey(id, "play:libre")) || hasDraft(id);
  }
  const reviewId = new URLSearchParams(location.search).get("review_id") ?? "";
  return (
    !REVIEW_ID.test(reviewId) ||
    hasRecord("tab", recordKey(id, `play:${reviewId}`)) ||
    hasRecord("phone", recordKey(id, "prizes"))
  );
}

/** The wheel page: from a name to a ticket (specification, section 2.6). */
export function PlayPage({ slug, mode, campaign: given, first, onCampaign }: PlayPageProps) {
  const { later, load, isLive, isOffline } = useLazyParts(
    () => loadLazyParts(slug, mode, given),
    () => given === null || hasMore(mode, given),
  );
  const [start] = useState(() => startPlay(mode, given));
  const state = useMachineState(later?.journey ?? null, start);
  const { campaign, step, name, failure } = state;
  const NameStep = later?.NameStep ?? first.NameStep;
  const WheelStep = later?.WheelStep ?? first.WheelStep;
  const reviewHref = `/c/${campaign?.slug ?? slug}/review`;
  const hasMoved = useRef(false);

  useEffect(() => {
    if (given === null && campaign !== null) onCampaign?.(campaign);
  }, [given, campaign, onCampaign]);

  const isFresh = useRef(false);
  if (step === "contact" || step === "spinning") hasMoved.current = true;
  if (step === "spinning") isFresh.current = true;

  /** Sends an event to the journey, which a quick thumb may have overtaken. */
  async function send(event: PlayEvent) {
    const loaded = later ?? (await load());
    loaded?.journey.send(event);
  }

  const isRefused = later !== null && step === "ready" && isRefusal(failure, "already_played");
  // No name is asked while nothing can be won.
  const isResting = mode === "libre" && campaign?.wheel_open === false && step === "name";
  return (
    <PageFrame
      campaign={campaign}
      progress={progressOf(state)}
      step={step}
      status={statusOf(state)}
    >
      {step === "loading" && <p>{isOffline ? customerCopy.offline : customerCopy.loading}</p>}
      {mode === "test" && step !== "loading" && step !== "error" && (
        <div className="mb-4">
          <Notice look="caution" title={wheelCopy.test.title}>
            <p>{wheelCopy.test.hint}</p>
            <a
              href={reviewHref}
              className="min-h-11 content-center font-bold underline underline-offset-4"
            >
              {wheelCopy.test.realJourney}
            </a>
          </Notice>
        </div>
      )}
      {(step === "name" || step === "contact" || step === "ready" || step === "spinning") && (
        <a
          href={reviewHref}
          className={`${step === "spinning" ? "invisible " : ""}-mt-3 flex min-h-11 w-fit items-center gap-1.5 text-base text-muted hover:text-violet`}
        >
          <Icon name="back" />
          {wheelCopy.backToReview}
        </a>
      )}
      {campaign !== null && step === "name" && NameStep && (
        <PhoneMemory campaign={campaign}>
          <NameStep
            draft={name === "" ? (later?.journey.draft().name ?? "") : name}
            isLive={isLive}
            isResting={isResting}
            takesFocus={hasMoved.current}
            keptFor={mode === "libre" ? campaign.id : null}
            keepDraft={later?.journey.keepDraft ?? null}
            onSubmit={async (typed) => (await load())?.journey.submitName(typed)}
          />
        </PhoneMemory>
      )}
      {isRefused && <later.SpinRefused state={state} journey={later.journey} />}
      {campaign !== null &&
        (step === "ready" || step === "spinning") &&
        !isRefused &&
        WheelStep && (
          <WheelStep
            state={state}
            campaign={campaign}
            createRunner={later?.createWheelRunner ?? null}
            isLive={isLive}
            takesFocus={hasMoved.current}
            problem={
              later !== null &&
              failure !== null && (
                <later.SpinProblem
                  failure={failure}
                  campaign={campaign}
                  onProven={() => send({ type: "spin_pressed" })}
                />
              )
            }
            soundSwitch={later !== null && <later.SoundSwitch sound={later.sound} />}
            onPeg={() => later?.sound.tick()}
            onSpin={() => {
              later?.sound.wake();
              send({ type: "spin_pressed" });
            }}
            onStopped={() => later?.ending.stop()}
            onEditContact={() => send({ type: "step_revisited", step: "contact" })}
          />
        )}
      {isOffline && step !== "loading" && <Notice look="problem" title={customerCopy.offline} />}
      {later !== null && (
        <later.FollowingStep
          slug={slug}
          state={state}
          journey={later.journey}
          reviewHref={reviewHref}
          isFresh={isFresh.current}
          scene={later.ending.scene()}
        />
      )}
    </PageFrame>
  );
}
