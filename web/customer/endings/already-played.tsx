import type { ReactNode } from "react";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { storeMark } from "../../ui/wheel/store-mark.ts";
import { WheelPicture } from "../../ui/wheel/wheel-picture.tsx";
import { KeptPrizes } from "../keep/kept-prizes.tsx";
import { keptPrizes } from "../memory/prize-memory.ts";
import { Action } from "../parts/action.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { endingsCopy } from "./endings.copy.ts";
import { whenAgain } from "./endings.ts";
import { PublicReviewLink } from "./public-review-link.tsx";
import { ReturnReminder } from "./return-reminder.tsx";

const copy = endingsCopy.played;

type AlreadyPlayedProps = {
  campaign: PublicCampaign;
  takesFocus: boolean;
  /** The link for a visitor who has not played; its words are `leave`. */
  onLeave: (() => void) | null;
  leave?: string;
  /** The points that wait on this phone. */
  points?: ReactNode;
};

/** Notice for a phone that has played: when the next spin is allowed, and the prize that waits. */
export function AlreadyPlayed({
  campaign,
  takesFocus,
  onLeave,
  leave = copy.somebodyElse,
  points,
}: AlreadyPlayedProps) {
  const hasPrize = keptPrizes(campaign.id).length > 0;
  return (
    <section className="flex grow animate-enter flex-col gap-4">
      <StepTitle takesFocus={takesFocus}>{copy.title}</StepTitle>
      <p className="text-pretty">{whenAgain(campaign, new Date())}</p>
      {hasPrize && <KeptPrizes campaign={campaign} isOpen />}
      {points}
      {!hasPrize && !points && (
        <WheelPicture
          segments={campaign.segments}
          mark={storeMark(campaign.store.name)}
          className="mx-auto my-4 w-3/5 max-w-60 opacity-60"
        />
      )}
      <div className="mt-auto grid gap-3 pt-2">
        <PublicReviewLink
          campaign={campaign}
          look={hasPrize ? "secondary" : "primary"}
          reviewId={null}
        />
        <ReturnReminder campaign={campaign} />
        {onLeave !== null && (
          <Action look="quiet" onClick={onLeave}>
            {leave}
          </Action>
        )}
      </div>
    </section>
  );
}
