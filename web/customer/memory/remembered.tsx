import { useEffect, useRef } from "react";
import { ENTRY_WITHOUT_REVIEW } from "#domain/rules/constants.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { AlreadyPlayed } from "../endings/already-played.tsx";
import { keepCopy } from "../keep/keep.copy.ts";
import { KeptPrizes } from "../keep/kept-prizes.tsx";
import { LazyPoints } from "../points/lazy-points.tsx";
import { hasDraft } from "../review-flow/form-draft.ts";
import { playAgainDay } from "./played-memory.ts";
import { hasRecord, recordKey } from "./storage.ts";

/** The wheel page without a review or an entry: a test, which does not ask whether this phone has played. */
function isTest({ pathname, search }: Location): boolean {
  const entry = new URLSearchParams(search).get("entry");
  return pathname.endsWith("/play") && entry !== ENTRY_WITHOUT_REVIEW;
}

/**
 * Whether a visitor is first informed that this phone has played: unless something was begun here, or whoever played
 * before has just finished in this tab.
 */
export function stops(campaign: PublicCampaign): boolean {
  const { id, wheel_open } = campaign;
  const isUnderWay = hasDraft(id) || hasRecord("tab", recordKey(id, "play:libre"));
  if (!wheel_open || isUnderWay || isTest(location)) return false;
  return playAgainDay(campaign, new Date()) !== null;
}

type RememberedProps = {
  campaign: PublicCampaign;
  /** Whether the first step is below. */
  isOpen: boolean;
  open: (isOpen: boolean) => void;
};

/** Memory that this phone has of a wheel, above the first step or in its place. */
export function Remembered({ campaign, isOpen, open }: RememberedProps) {
  const hasChosen = useRef(false);
  useEffect(() => {
    // The pressed element has gone with its page: the step that it led to is read out.
    if (isOpen && hasChosen.current) document.querySelector("h1")?.focus();
  }, [isOpen]);

  const { id, slug, store } = campaign;
  // An answer about one's points stays on the phone where there were any.
  const hasPoints = hasRecord("phone", recordKey(id, "wallet"));
  if (isOpen) {
    return (
      <>
        <KeptPrizes campaign={campaign} />
        {hasPoints && (
          <a
            href={`/c/${slug}/gain`}
            className="-mt-3 mb-3 min-h-11 w-fit content-center text-base font-bold underline underline-offset-4"
          >
            {keepCopy.page}
          </a>
        )}
      </>
    );
  }
  const points = hasPoints && (
    <LazyPoints
      campaignId={id}
      slug={slug}
      store={store}
      loadPage={() => import("../keep/kept-page.tsx")}
    />
  );
  return (
    <AlreadyPlayed
      campaign={campaign}
      takesFocus={false}
      points={points}
      onLeave={() => {
        hasChosen.current = true;
        open(true);
      }}
    />
  );
}
