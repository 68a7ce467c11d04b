import { useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Workspace } from "#domain/schemas/workspace.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { useWorkspace } from "../../../lib/workspace.ts";
import { Alert } from "../../../ui/alert.tsx";
import { PresenceButton } from "../presence/presence-button.tsx";
import { type PrintedCode, readPrinted } from "../printed-codes/printed-code.ts";
import { WhoseCode } from "../printed-codes/whose-code.tsx";
import { redeemCopy } from "../redeem.copy.ts";
import { ScannerDialog } from "../scanner/scanner-dialog.tsx";
import type { Answer } from "./answer.ts";
import { AnswerScreen } from "./answer-screen.tsx";
import { CodeEntry } from "./code-entry.tsx";
import { TillHeader } from "./till-header.tsx";
import { useIsOffline } from "./use-is-offline.ts";
import { useTill } from "./use-till.ts";

/** An installed till opens at the camera (`start_url` of its manifest). */
function opensAtCamera(): boolean {
  return new URLSearchParams(location.search).get("camera") === "1";
}

/** Answers after which the same code is still of use in the field. */
const CORRIGIBLE: readonly Answer["state"][] = ["available", "unknown", "too_many_attempts"];

type TillProps = {
  /** The role has just changed to a cashier's. */
  hasNewRole: boolean;
  store: Workspace["stores"][number];
  stores: Workspace["stores"];
  onStoreChange: (id: string) => void;
};

/** One store's till: a code in, one answer out, then the next. */
export function Till({ hasNewRole, store, stores, onStoreChange }: TillProps) {
  const field = useRef<HTMLInputElement>(null);
  const focusField = () => field.current?.focus();
  const till = useTill(store.id, focusField);
  const { code, answer, lookup, redeem, undo } = till;
  const [isScanning, setIsScanning] = useState(opensAtCamera);
  const [isScanned, setIsScanned] = useState(false);
  const isOffline = useIsOffline();
  // A scanner that types has put the address of a poster into the field.
  const [address, setAddress] = useState<PrintedCode | null>(null);

  /** Back to the field, which takes the focus as it appears. */
  function backToField(text: string): void {
    till.clear(text);
    setIsScanned(false);
    setAddress(null);
  }

  /** A scanned code is checked at once, and so is one whose redemption was undone. */
  function checkAtOnce(text: string, isFromCamera: boolean): void {
    backToField(text);
    setIsScanned(isFromCamera);
    till.check(text);
  }

  /** Asks the server for a code; says of an address what it is, and lets the next text take its place. */
  function submit(): void {
    const read = readPrinted(code, location.host);
    if (read.kind === "prize" || read.kind === "other") {
      till.check(code);
    } else {
      setAddress(read);
      field.current?.select();
    }
  }

  /** Why a request has no answer; a device that knows that it is offline shows that sentence alone, once. */
  const problemOf = (error: Error | null) =>
    error && (isOffline ? redeemCopy.offline : errorMessage(error, redeemCopy.problems));

  const isAtWork = redeem.isPending || undo.isPending;
  // A scanner that types, or an impatient cashier: the next code may begin on any answer.
  useTypeAhead(answer !== null && !isAtWork && !isScanning, () => {
    flushSync(() => backToField(""));
    focusField();
  });

  const isOver = answer !== null && !CORRIGIBLE.includes(answer.state);
  useBack(answer !== null && !isAtWork && !isScanning, () => backToField(isOver ? "" : code));

  const scanner = isScanning && (
    <PrizeScanner
      onClose={() => {
        flushSync(() => setIsScanning(false));
        focusField();
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
          onConfirm={() => till.confirm(answer)}
          onUndo={(id) => till.takeBack(answer, id)}
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
      {hasNewRole && !isOffline && (
        <p role="status" className="mx-auto w-full max-w-lg px-4 pt-4 font-semibold sm:px-6">
          {redeemCopy.newRole}
        </p>
      )}
      {isOffline && !lookup.isError && (
        <div className="px-4 pt-4">
          <Alert>{redeemCopy.offline}</Alert>
        </div>
      )}
      <CodeEntry
        ref={field}
        code={code}
        isChecking={lookup.isPending}
        error={till.isCodeMissing ? redeemCopy.entry.codeRequired : undefined}
        problem={address ? <WhosePrinted code={address} /> : problemOf(lookup.error)}
        onChange={(text) => {
          setAddress(null);
          till.draft(text);
        }}
        onSubmit={submit}
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

declare global {
  interface Window {
    /** Hears of a phone's Back button and of Escape; browsers before 2024, and Safari, have none. */
    CloseWatcher?: new () => { onclose: (() => void) | null; destroy: () => void };
  }
}

/** Calls back at a phone's Back button and at Escape, which would otherwise leave the till, or do nothing. */
function useBack(isOn: boolean, onBack: () => void): void {
  const back = useEffectEvent(onBack);
  useEffect(() => {
    if (!isOn || !window.CloseWatcher) return;
    const watcher = new window.CloseWatcher();
    watcher.onclose = () => back();
    return () => watcher.destroy();
  }, [isOn]);
}

/** In a sentence what an address is, to the cashier of the signed-in organisation. */
function WhosePrinted({ code }: { code: PrintedCode }) {
  const mine = useWorkspace()?.organization?.slug;
  return <WhoseCode code={code} mine={mine ?? ""} />;
}

type PrizeScannerProps = { onCode: (code: string) => void; onClose: () => void };

/** The till's camera, until it has read a prize's QR code: of any other it says what it is, and whose. */
function PrizeScanner({ onCode, onClose }: PrizeScannerProps) {
  const [other, setOther] = useState<PrintedCode | null>(null);
  return (
    <ScannerDialog
      aim={redeemCopy.scanner.aim}
      type={redeemCopy.scanner.type}
      said={other && <WhosePrinted code={other} />}
      onText={(text) => {
        const read = readPrinted(text, location.host);
        if (read.kind === "prize") onCode(read.code);
        else setOther(read);
      }}
      onClose={onClose}
    />
  );
}
