import { useEffect, useState } from "react";
import type { SpinResult } from "#domain/journey.ts";
import type { PrizeStatus } from "#domain/prize.ts";
import { prizeStatus } from "../api.ts";
import { dayInWords } from "../dates.ts";
import { keepTold, toldOf } from "../prize-memory.ts";
import { keepCopy } from "./keep.copy.ts";

type PrizeState = {
  /** Why the code is worth nothing any more, in words; null while it is. */
  stamp: string | null;
  /** The till's side could not be asked. */
  isOffline: boolean;
};

function stampOf({ status, used_at }: PrizeStatus): string | null {
  const used = keepCopy.used(dayInWords(new Date(used_at ?? Date.now()), new Date()));
  return { available: null, used, expired: keepCopy.expired }[status];
}

/** What the phone knows by itself: what it was told last, and that a prize's time is over. */
function knownStamp(campaignId: string, result: SpinResult): string | null {
  const told = toldOf(campaignId, result);
  const stamp = told && stampOf(told);
  const isOver = result.expires_at !== null && Date.parse(result.expires_at) <= Date.now();
  return stamp ?? (isOver ? keepCopy.expired : null);
}

/** Whether a prize still waits: asked when the page opens, and as far as the phone knows without network. */
export function usePrizeState(
  campaignId: string,
  result: SpinResult,
  isAsked: boolean,
): PrizeState {
  // From the first picture on: a code that was used is never shown as good, not even until the answer is there.
  const [state, setState] = useState<PrizeState>(() => ({
    stamp: isAsked ? knownStamp(campaignId, result) : null,
    isOffline: false,
  }));

  useEffect(() => {
    if (!isAsked) return;
    let isCurrent = true;
    const known = knownStamp(campaignId, result);
    setState({ stamp: known, isOffline: false });
    const turn = { campaign_id: campaignId, spin_id: result.spin_id, nonce: result.nonce };
    prizeStatus(turn).then((answer) => {
      if (answer.ok) keepTold(campaignId, result, answer.value);
      if (!isCurrent) return;
      if (answer.ok) setState({ stamp: stampOf(answer.value), isOffline: false });
      else setState({ stamp: known, isOffline: answer.failure.kind === "network" });
    });
    return () => {
      isCurrent = false;
    };
  }, [campaignId, result, isAsked]);

  return state;
}
