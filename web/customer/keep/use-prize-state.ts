import { useEffect, useState } from "react";
import type { SpinResult } from "#domain/schemas/journey.ts";
import type { PrizeStatus } from "#domain/schemas/prize.ts";
import type { PublicPlace } from "#domain/schemas/public-page.ts";
import { dayInWords } from "#domain/text/day-in-words.ts";
import { prizeStatus } from "../api.ts";
import { lastStatusOf, rememberStatus } from "../memory/prize-memory.ts";
import { keepCopy } from "./keep.copy.ts";

type PrizeState = {
  /** Why the code is worth nothing any more, in words; null while it is. */
  stamp: string | null;
  /** Decision of the merchant, in a sentence; null without one. */
  notice: string | null;
  /** The till's side could not be asked. */
  isOffline: boolean;
  /** Name of where it is taken; missing until the till's side has said it. */
  place: string | undefined;
};

function stampOf(
  { status, used_at, stamp }: PrizeStatus,
  { timezone }: PublicPlace,
): string | null {
  const used = keepCopy.used(dayInWords(new Date(used_at ?? Date.now()), new Date(), timezone));
  return stamp ?? { available: null, used, expired: keepCopy.expired }[status];
}

/**
 * Status that the phone knows by itself: the last one received, and the end of a prize's validity.
 */
function knownStamp(campaignId: string, result: SpinResult, store: PublicPlace): string | null {
  const told = lastStatusOf(campaignId, result);
  const stamp = told && stampOf(told, store);
  const isOver = result.expires_at !== null && Date.parse(result.expires_at) <= Date.now();
  return stamp ?? (isOver ? keepCopy.expired : null);
}

/**
 * Whether a prize still waits: asked when the page opens or is seen again, and as far as the phone knows without network.
 * One that was won just now is asked about only when it is seen again.
 */
export function usePrizeState(
  campaignId: string,
  result: SpinResult,
  store: PublicPlace,
  isAsked: boolean,
  isFresh = false,
): PrizeState & { store: PublicPlace } {
  // From the first picture on: a code that was used is never shown as good, not even until the answer is there.
  const [state, setState] = useState<PrizeState>(() => ({
    stamp: isAsked ? knownStamp(campaignId, result, store) : null,
    notice: null,
    isOffline: false,
    place: isAsked ? lastStatusOf(campaignId, result)?.place : undefined,
  }));

  useEffect(() => {
    if (!isAsked) return;
    // Number of the question whose answer counts.
    let latest = 0;
    const turn = { campaign_id: campaignId, spin_id: result.spin_id, nonce: result.nonce };
    const ask = () => {
      latest += 1;
      const own = latest;
      const known = knownStamp(campaignId, result, store);
      const told = lastStatusOf(campaignId, result);
      const notice = told?.notice ?? null;
      const place = told?.place;
      setState({ stamp: known, notice, isOffline: false, place });
      prizeStatus(turn).then((answer) => {
        if (answer.ok) rememberStatus(campaignId, result, answer.value);
        if (own !== latest) return;
        setState(
          answer.ok
            ? {
                stamp: stampOf(answer.value, store),
                notice: answer.value.notice ?? null,
                isOffline: false,
                place: answer.value.place,
              }
            : { stamp: known, notice, isOffline: answer.failure.kind === "network", place },
        );
      });
    };
    const onVisible = () => {
      if (!document.hidden) ask();
    };
    if (!isFresh) ask();
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      latest = -1;
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [campaignId, result, store, isAsked, isFresh]);

  return { ...state, store: { ...store, name: state.place ?? store.name } };
}
