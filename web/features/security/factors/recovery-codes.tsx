import { useQuery } from "@tanstack/react-query";
import { Download, KeyRound, Printer } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { download } from "../../../lib/download.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { securityCopy } from "../security.copy.ts";
import type { useCreateRecoveryCodes } from "../security.mutations.ts";
import { recoveryCountQuery } from "../security.queries.ts";
import { Card, Loading } from "../security-frame.tsx";

const copy = securityCopy.recovery;

/** Number of remaining codes from which on the user is advised to make new ones. */
const FEW = 3;

type RecoveryCodesProps = {
  /** Also started by enabling the second factor. */
  create: ReturnType<typeof useCreateRecoveryCodes>;
};

/** Codes for the day when the second factor is lost: how many are left, and new ones. */
export function RecoveryCodes({ create }: RecoveryCodesProps) {
  const { supabase } = useApp();
  const count = useQuery(recoveryCountQuery(supabase));
  const title = useRef<HTMLHeadingElement>(null);
  const hasNew = create.data !== undefined;
  // They are shown only once: focus moves there, also for screen readers.
  useEffect(() => {
    if (hasNew) title.current?.focus();
  }, [hasNew]);
  const [isAsking, setIsAsking] = useState(false);
  const left = count.data ?? 0;
  const make = () => create.mutate(undefined, { onSettled: () => setIsAsking(false) });

  return (
    <Card>
      <h2 ref={title} tabIndex={-1} className="flex items-center gap-3 text-xl outline-none">
        <KeyRound aria-hidden="true" className="size-6 shrink-0 text-violet" />
        {hasNew ? copy.keepTitle : copy.title}
      </h2>
      <p className="max-w-[60ch] text-pretty text-muted">{copy.text}</p>
      {create.isPending && left === 0 && <p role="status">{copy.making}</p>}
      <Loading of={count} lines={1} />
      {create.error && <Alert>{errorMessage(create.error)}</Alert>}
      {create.data && <NewRecoveryCodes codes={create.data} onDone={create.reset} />}
      {count.data !== undefined && !create.data && (
        <>
          <p className={`font-semibold ${left < FEW ? "text-sun-ink" : ""}`}>{copy.left(left)}</p>
          <Button
            variant={left === 0 ? "primary" : "secondary"}
            className="justify-self-start"
            busy={create.isPending}
            onClick={left === 0 ? make : () => setIsAsking(true)}
          >
            {left === 0 ? copy.create : copy.renew}
          </Button>
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title={copy.renewTitle}
          action={copy.renewConfirm}
          busy={create.isPending}
          onClose={() => setIsAsking(false)}
          onConfirm={make}
        >
          {copy.renewText}
        </ConfirmDialog>
      )}
    </Card>
  );
}

/** The codes as a file of text. */
const fileOf = (codes: readonly string[]) =>
  new Blob([`${copy.fileTitle}\n\n${codes.join("\n")}\n`], { type: "text/plain;charset=utf-8" });

type NewRecoveryCodesProps = { codes: readonly string[]; onDone: () => void };

/** Recovery codes, shown this once, with every way to keep them. */
function NewRecoveryCodes({ codes, onDone }: NewRecoveryCodesProps) {
  return (
    <div className="grid gap-5">
      <Notice>{copy.shownOnce}</Notice>
      <Codes codes={codes} />
      <div className="flex flex-wrap gap-3">
        <CopyButton text={codes.join("\n")} label={copy.copy} copied={copy.copied} />
        <Button variant="secondary" onClick={() => download(fileOf(codes), copy.fileName)}>
          <Download aria-hidden="true" className="size-5" />
          {copy.download}
        </Button>
        <Button variant="secondary" onClick={() => window.print()}>
          <Printer aria-hidden="true" className="size-5" />
          {copy.print}
        </Button>
      </div>
      <Button className="justify-self-start" onClick={onDone}>
        {copy.done}
      </Button>
      {createPortal(
        // On paper, the codes alone.
        <div className="paper-alone hidden p-8 print:block">
          <h1 className="text-2xl">{copy.fileTitle}</h1>
          <p className="my-6">{copy.text}</p>
          <Codes codes={codes} />
        </div>,
        document.body,
      )}
    </div>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  return (
    <ol
      aria-label={copy.list}
      className="grid gap-3 rounded-field border border-dashed border-field p-4 font-bold tracking-[0.06em] tabular-nums"
    >
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ol>
  );
}
