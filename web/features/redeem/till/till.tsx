import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Workspace } from "#domain/schemas/workspace.ts";
import { AppError, errorMessage, NETWORK } from "../../../lib/app-error.ts";
import { tabMemory } from "../../../lib/device-memory.ts";
import { useLive } from "../../../lib/live/use-live.ts";
import { useWorkspace } from "../../../lib/workspace.ts";
import { Alert } from "../../../ui/alert.tsx";
import { PresenceButton } from "../presence/presence-button.tsx";
import { type PrintedCode, readPrinted } from "../printed-codes/printed-code.ts";
import { WhoseCode } from "../printed-codes/whose-code.tsx";
import { redeemCopy } from "../redeem.copy.ts";
import { useLookupCode, useRedeemCode, useUndoRedemption } from "../redeem.mutations.ts";
import { ScannerDialog } from "../scanner/scanner-dialog.tsx";
import { type Answer, restored } from "./answer.ts";
import { AnswerScreen } from "./answer-screen.tsx";
import { CodeEntry } from "./code-entry.tsx";
import { cleanCode, isBlankCode } from "./code-text.ts";
import { TillHeader } from "./till-header.tsx";
import { useIsOffline } from "./use-is-offline.ts";

/** An installed till opens at the camera (`start_url` of its manifest). */
function opensAtCamera(): boolean {
  return new URLSearchParams(location.search).get("camera") === "1";
}

/** Typed text survives a reload and a new sign-in, until the tab closes. */
const DRAFT_KEY = "tournavis-till-code";

type TillProps = {
  store: Workspace["stores"][number];
  stores: Workspace["stores"];
  onStoreChange: (id: string) => void;
};

/** One store's till: a code in, one answer out, then the next. */
export function Till({ store, stores, onStoreChange }: TillProps) {
  const lookup = useLookupCode();
  const redeem = useRedeemCode();
  const undo = useUndoRedemption();
  const [code, setCode] = useState(() => tabMemory.read(DRAFT_KEY) ?? "");
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [isCodeMissing, setIsCodeMissing] = useState(false);
  const [isScanning, setIsScanning] = useState(opensAtCamera);
  const [isScanned, setIsScanned] = useState(false);
  const isOffline = useIsOffline();
  const field: RefObject<HTMLInputElement | null> = useRef(null);
  // Not state: two clicks in a row must see it before anything is drawn again.
  const isAsking = useRef(false);
  // Neither is this: what another till does may arrive between an answer and its drawing.
  const shown = useRef<Answer | null>(null);

  function draft(text: string): void {
    tabMemory.write(DRAFT_KEY, text);
    setCode(text);
    setIsCodeMissing(false);
    lookup.reset();
    undo.reset();
  }

  function show(next: Answer): void {
    if (next.state === "redeemed") tabMemory.write(DRAFT_KEY, "");
    shown.current = next;
    vibrate(["available", "redeemed", "restored"].includes(next.state));
    setAnswer(next);
  }

  function check(typed: string): void {
    const cleaned = cleanCode(typed);
    if (isAsking.current) return;
    if (isBlankCode(cleaned)) {
      setIsCodeMissing(true);
      field.current?.focus();
      return;
    }
    isAsking.current = true;
    redeem.reset();
    lookup.mutate(
      { code: cleaned, storeId: store.id },
      {
        onSuccess: show,
        onSettled: () => {
          isAsking.current = false;
        },
      },
    );
  }

  // Another till may use the code that waits here for the cashier: this one says so before anybody presses.
  useLive(useWorkspace()?.organization?.id ?? null, "codes", ({ kinds, isGap }) => {
    // A redemption whose answer was lost is repeated by the cashier, and answered as the first time.
    const waiting = shown.current;
    if (waiting?.state !== "available" || isAsking.current || redeem.isError) return;
    if (!isGap && !kinds.has("code")) return;
    lookup.mutate(
      { code: waiting.code, storeId: store.id },
      {
        onSuccess: (found) => {
          const isStillWaiting = shown.current === waiting && !isAsking.current;
          if (isStillWaiting && found.state !== waiting.state) show(found);
        },
      },
    );
  });

  function confirm(asked: Answer): void {
    if (isAsking.current) return;
    isAsking.current = true;
    redeem.mutate(
      { asked, storeId: store.id },
      {
        onSuccess: show,
        onSettled: () => {
          isAsking.current = false;
        },
      },
    );
  }

  function takeBack(asked: Answer, id: string): void {
    if (isAsking.current) return;
    isAsking.current = true;
    undo.mutate(id, {
      onSuccess: () => show(restored(asked)),
      onSettled: () => {
        isAsking.current = false;
      },
    });
  }

  // « Pas de réponse » is no longer true of a network that came back.
  const forgetLostAnswers = useEffectEvent(() => {
    for (const asking of [lookup, redeem, undo]) {
      if (asking.error instanceof AppError && asking.error.code === NETWORK) asking.reset();
    }
  });
  useEffect(() => {
    const onOnline = () => forgetLostAnswers();
    addEventListener("online", onOnline);
    return () => removeEventListener("online", onOnline);
  }, []);

  /** Back to the field, which takes the focus as it appears. */
  function backToField(text: string): void {
    draft(text);
    shown.current = null;
    setAnswer(null);
    setIsScanned(false);
  }

  /** A scanned code is checked at once, and so is one whose redemption was undone. */
  function checkAtOnce(text: string, isFromCamera: boolean): void {
    backToField(text);
    setIsScanned(isFromCamera);
    check(text);
  }

  /** Why an asking has no answer; a device that knows of no network says so itself, once. */
  const problemOf = (error: Error | null) =>
    error && (isOffline ? redeemCopy.offline : errorMessage(error, redeemCopy.problems));

  const isAtWork = redeem.isPending || undo.isPending;
  // A scanner that types, or an impatient cashier: the next code may begin on any answer.
  useTypeAhead(answer !== null && !isAtWork && !isScanning, () => {
    flushSync(() => backToField(""));
    field.current?.focus();
  });

  const scanner = isScanning && (
    <PrizeScanner
      onClose={() => {
        flushSync(() => setIsScanning(false));
        field.current?.focus();
      }}
      onCode={(scanned) => {
        setIsScanning(false);
        checkAtOnce(scanned, true);
      }}
    />
  );

  if (answer) {
    const failure = answer.state === "available" ? redeem.error : undo.error;
    return (
      <>
        <AnswerScreen
          // A new answer is a new screen: it takes the focus and waits before it takes a tap.
          key={answer.state}
          answer={answer}
          isRedeeming={redeem.isPending}
          isUndoing={undo.isPending}
          problem={problemOf(failure)}
          onConfirm={() => confirm(answer)}
          onUndo={(id) => takeBack(answer, id)}
          onCheckAgain={() => checkAtOnce(answer.code, isScanned)}
          onCorrect={() => backToField(code)}
          onNext={() => backToField("")}
          onScanNext={isScanned ? () => setIsScanning(true) : undefined}
        />
        {scanner}
      </>
    );
  }

  return (
    <div className="flex min-h-dvh flex-col">
      <TillHeader storeId={store.id} stores={stores} onStoreChange={onStoreChange} />
      <div className="flex justify-center px-4 pt-4 empty:hidden">
        <PresenceButton storeId={store.id} store={store.name} />
      </div>
      {isOffline && !lookup.isError && (
        <div className="px-4 pt-4">
          <Alert>{redeemCopy.offline}</Alert>
        </div>
      )}
      <CodeEntry
        ref={field}
        code={code}
        isChecking={lookup.isPending}
        error={isCodeMissing ? redeemCopy.entry.codeRequired : undefined}
        problem={problemOf(lookup.error)}
        onChange={draft}
        onSubmit={() => check(code)}
        onScan={() => setIsScanning(true)}
      />
      {scanner}
    </div>
  );
}

/**
 * Calls back at the first key of a code typed outside of any field. The callback moves the focus
 * into one, where the browser then puts this very character.
 */
function useTypeAhead(isOn: boolean, onStart: () => void): void {
  const start = useEffectEvent(onStart);
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const isShortcut = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
      if (!isShortcut && /^[\p{L}\p{N}]$/u.test(event.key)) start();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [isOn]);
}

const YES = [40];
const NO = [60, 60, 60];

/** Lets the hand feel the answer, on phones that can: once for yes, twice for no. */
function vibrate(isYes: boolean): void {
  if ("vibrate" in navigator) navigator.vibrate(isYes ? YES : NO);
}

type PrizeScannerProps = { onCode: (code: string) => void; onClose: () => void };

/** The till's camera, until it has read a prize's QR code: of any other it says what it is, and whose. */
function PrizeScanner({ onCode, onClose }: PrizeScannerProps) {
  const [other, setOther] = useState<PrintedCode | null>(null);
  const mine = useWorkspace()?.organization?.slug;
  return (
    <ScannerDialog
      aim={redeemCopy.scanner.aim}
      type={redeemCopy.scanner.type}
      said={other && <WhoseCode code={other} mine={mine ?? ""} />}
      onText={(text) => {
        const read = readPrinted(text, location.host);
        if (read.kind === "prize") onCode(read.code);
        else setOther(read);
      }}
      onClose={onClose}
    />
  );
}
