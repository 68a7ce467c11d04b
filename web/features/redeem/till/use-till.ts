import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { AppError, NETWORK } from "../../../lib/app-error.ts";
import { tabMemory } from "../../../lib/device-memory.ts";
import { useLive } from "../../../lib/live/use-live.ts";
import { useWorkspace } from "../../../lib/workspace.ts";
import { useLookupCode, useRedeemCode, useUndoRedemption } from "../redeem.mutations.ts";
import { type Answer, restored } from "./answer.ts";
import { cleanCode, isBlankCode } from "./code-text.ts";

/** Typed text survives a reload and a new sign-in, until the tab closes. */
const DRAFT_KEY = "tournavis-till-code";

/** State of one store's till: the typed code, the answer on the screen, and the requests that lead from one to the other. */
export function useTill(storeId: string, focusField: () => void) {
  const lookup = useLookupCode();
  const redeem = useRedeemCode();
  const undo = useUndoRedemption();
  const [code, setCode] = useState(() => tabMemory.read(DRAFT_KEY) ?? "");
  const [isCodeMissing, setIsCodeMissing] = useState(false);
  const { answer, shown, show, hide } = useShownAnswer();
  const requests = useOneRequest();

  function draft(text: string): void {
    tabMemory.write(DRAFT_KEY, text);
    setCode(text);
    setIsCodeMissing(false);
    lookup.reset();
    undo.reset();
    requests.giveUp();
  }

  function check(typed: string): void {
    const cleaned = cleanCode(typed);
    if (requests.isPending()) return;
    if (isBlankCode(cleaned)) {
      setIsCodeMissing(true);
      focusField();
      return;
    }
    redeem.reset();
    requests.start((onSettled) =>
      lookup.mutate({ code: cleaned, storeId }, { onSuccess: show, onSettled }),
    );
  }

  function confirm(asked: Answer): void {
    requests.start(
      (onSettled) => redeem.mutate({ asked, storeId }, { onSuccess: show, onSettled }),
      { isKept: true },
    );
  }

  function takeBack(asked: Answer, id: string): void {
    requests.start((onSettled) =>
      undo.mutate(id, { onSuccess: () => show(restored(asked)), onSettled }),
    );
  }

  /** Back to the field. */
  function clear(text: string): void {
    draft(text);
    hide();
  }

  useOtherTills({
    shown,
    // A redemption whose answer was lost is repeated by the cashier, and answered as the first time.
    isEnabled: !redeem.isError,
    isPending: requests.isPending,
    lookUp: (waiting, onFound) => lookup.mutate({ code: waiting, storeId }, { onSuccess: onFound }),
    show,
  });
  useOnlineReset([lookup, redeem, undo]);

  const actions = { draft, check, confirm, takeBack, clear };
  return { code, isCodeMissing, answer, lookup, redeem, undo, ...actions };
}

/** The answer on the screen. `shown` is no state: what another till does may arrive between an answer and its drawing. */
function useShownAnswer() {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const shown = useRef<Answer | null>(null);
  return {
    answer,
    shown,
    show: (next: Answer): void => {
      if (next.state === "redeemed") tabMemory.write(DRAFT_KEY, "");
      shown.current = next;
      vibrate(["available", "redeemed", "restored"].includes(next.state));
      setAnswer(next);
    },
    hide: (): void => {
      shown.current = null;
      setAnswer(null);
    },
  };
}

/** One request at a time. No state: two clicks in a row must see it before anything is drawn again. */
function useOneRequest() {
  const pending = useRef<{ isKept: boolean } | null>(null);
  return {
    isPending: () => pending.current !== null,
    start: (request: (onSettled: () => void) => void, own = { isKept: false }): void => {
      if (pending.current) return;
      pending.current = own;
      request(() => {
        if (pending.current === own) pending.current = null;
      });
    },
    /** Makes room for another code while an answer is awaited; a redemption is waited for. */
    giveUp: (): void => {
      if (!pending.current?.isKept) pending.current = null;
    },
  };
}

type OtherTillsOptions = {
  shown: RefObject<Answer | null>;
  isEnabled: boolean;
  /** Whether a request of this till is on its way. */
  isPending: () => boolean;
  lookUp: (code: string, onFound: (found: Answer) => void) => void;
  show: (answer: Answer) => void;
};

/** Answers that somebody else may change: another till, or whoever checks the prizes. */
const CHANGEABLE: readonly Answer["state"][] = ["available", "used", "held", "cancelled"];

/** Another till may use the code that is shown here, or undo that: this one shows it before anything is pressed. */
function useOtherTills(options: OtherTillsOptions): void {
  const { shown, isEnabled, isPending, lookUp, show } = options;
  useLive(useWorkspace()?.organization?.id ?? null, "codes", ({ kinds, isGap }) => {
    const waiting = shown.current;
    if (!waiting || !CHANGEABLE.includes(waiting.state) || isPending() || !isEnabled) return;
    if (!isGap && !kinds.has("code")) return;
    lookUp(waiting.code, (found) => {
      const isStillWaiting = shown.current === waiting && !isPending();
      if (isStillWaiting && found.state !== waiting.state) show(found);
    });
  });
}

/** « Pas de réponse » is no longer true once the network is back. */
function useOnlineReset(requests: readonly { error: Error | null; reset: () => void }[]): void {
  const forgetLostAnswers = useEffectEvent(() => {
    for (const { error, reset } of requests) {
      if (error instanceof AppError && error.code === NETWORK) reset();
    }
  });
  useEffect(() => {
    const onOnline = () => forgetLostAnswers();
    addEventListener("online", onOnline);
    return () => removeEventListener("online", onOnline);
  }, []);
}

const YES = [40];
const NO = [60, 60, 60];

/** Lets the hand feel the answer, on phones that can: once for yes, twice for no. */
function vibrate(isYes: boolean): void {
  if ("vibrate" in navigator) navigator.vibrate(isYes ? YES : NO);
}
