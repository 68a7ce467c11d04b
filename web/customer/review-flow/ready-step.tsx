import { useEffect } from "react";
import { offersReviewPage } from "#domain/rules/review-flow.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { storeMark } from "../../ui/wheel/store-mark.ts";
import { WheelPicture } from "../../ui/wheel/wheel-picture.tsx";
import { Action } from "../parts/action.tsx";
import { BottomBar } from "../parts/bottom-bar.tsx";
import { Icon } from "../parts/icon.tsx";
import { Notice } from "../parts/notice.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { reviewCopy } from "./review.copy.ts";
import type { ReviewEvent } from "./review-machine.ts";
import type { ReviewState } from "./review-state.ts";
import { reviewHostOf, reviewUrlOf } from "./review-url.ts";

const copy = reviewCopy.ready;

type ReadyStepProps = {
  state: ReviewState;
  campaign: PublicCampaign;
  playHref: string;
  send: (event: ReviewEvent) => void;
};

/** The review is stored: on to the wheel. */
export function ReadyStep({ state, campaign, playHref, send }: ReadyStepProps) {
  useEffect(() => {
    // The wheel is the next page: its script waits in the cache when the page asks for it.
    import("../wheel/play-page.tsx").catch(() => {});
    import("../wheel/lazy-parts.ts").catch(() => {});
  }, []);

  const url = reviewUrlOf(campaign);
  const host = reviewHostOf(campaign);
  return (
    <section className="flex grow animate-enter flex-col gap-4">
      <StepTitle takesFocus>{campaign.wheel_open ? copy.title : copy.titleResting}</StepTitle>
      <p className="flex gap-2">
        <Icon name="check" className="mt-1 size-5 text-mint-ink" />
        {copy.saved}
      </p>
      <p>{copy.blind}</p>
      {/* A browser within another application may have opened nothing: a plain link always leads there. */}
      {state.reviewPageOpened && url && host && (
        <a
          href={url}
          target="_blank"
          className="min-h-11 content-center underline underline-offset-4 wrap-anywhere"
          rel="noopener"
        >
          {copy.opened(host)}
        </a>
      )}
      {!campaign.wheel_open && (
        <Notice look="caution" title={copy.resting}>
          <p>{copy.restingHint}</p>
        </Notice>
      )}
      {/* biome-ignore lint/a11y/useAnchorContent: the link below says it; this one is for thumbs that tap the wheel. */}
      <a
        href={playHref}
        tabIndex={-1}
        aria-hidden="true"
        className="-mb-6 block flat:hidden h-60 overflow-clip px-2 pt-6"
      >
        <WheelPicture
          segments={campaign.segments}
          mark={storeMark(campaign.store.name)}
          className="w-full [view-transition-name:wheel]"
        />
      </a>
      <BottomBar>
        <Action look={campaign.wheel_open ? "primary" : "secondary"} href={playHref}>
          {copy.play}
        </Action>
      </BottomBar>
      {url && offersReviewPage(campaign.review_mode, true) && (
        <div>
          <Action
            look="quiet"
            href={url}
            target="_blank"
            onClick={() => send({ type: "review_page_chosen" })}
          >
            {copy.leave}
            <Icon name="external" />
          </Action>
          {host && (
            <p className="text-center text-sm text-muted wrap-anywhere">
              {reviewCopy.google.where(host)}
            </p>
          )}
        </div>
      )}
    </section>
  );
}
