import { useEffect, useState } from "react";
import type { SpinResult } from "#domain/journey.ts";
import { prizeStatus } from "../api.ts";
import { dayInWords } from "../dates.ts";
import { keepCopy } from "./keep.copy.ts";

type PrizeState = {
  /** Why the code is worth nothing any more, in words; null while it is. */
  stamp: string | null;
  /** The till's side could not be asked. */
  isOffline: boolean;
};

function isOver({ expires_at }: SpinResult): boolean {
  return expires_at !== null && Date.parse(expires_at) <= Date.now();
}

/** Whether a prize still waits: asked when the page opens, and as far as the phone knows without network. */
export function usePrizeState(
  campaignId: string,
  result: SpinResult,
  isAsked: boolean,
): PrizeState {
  const [state, setState] = useState<PrizeState>({ stamp: null, isOffline: false });

  useEffect(() => {
    if (!isAsked) return;
    let isCurrent = true;
    const known = isOver(result) ? keepCopy.expired : null;
    setState({ stamp: known, isOffline: false });
    const turn = { campaign_id: campaignId, spin_id: result.spin_id, nonce: result.nonce };
    prizeStatus(turn).then((answer) => {
      if (!isCurrent) return;
      if (!answer.ok) {
        setState({ stamp: known, isOffline: answer.failure.kind === "network" });
        return;
      }
      const { status, used_at } = answer.value;
      const used = keepCopy.used(dayInWords(new Date(used_at ?? Date.now()), new Date()));
      const stamps = { available: null, used, expired: keepCopy.expired };
      setState({ stamp: stamps[status], isOffline: false });
    });
    return () => {
      isCurrent = false;
    };
  }, [campaignId, result, isAsked]);

  return state;
}
