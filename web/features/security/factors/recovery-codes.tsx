import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Card } from "../card.tsx";
import { LoadProblem } from "../load-problem.tsx";
import { securityCopy } from "../security.copy.ts";
import type { useCreateRecoveryCodes } from "../security.mutations.ts";
import { recoveryCountQuery } from "../security.queries.ts";
import { Skeleton } from "../skeleton.tsx";
import { NewRecoveryCodes } from "./new-recovery-codes.tsx";

const copy = securityCopy.recovery;

/** From here on, somebody should make new ones. */
const FEW = 3;

type RecoveryCodesProps = {
  /** Also begun by whoever turns the second factor on. */
  create: ReturnType<typeof useCreateRecoveryCodes>;
};

/** Codes for the day when the second factor is lost: how many are left, and new ones. */
export function RecoveryCodes({ create }: RecoveryCodesProps) {
  const { supabase } = useApp();
  const count = useQuery(recoveryCountQuery(supabase));
  const title = useRef<HTMLHeadingElement>(null);
  const hasNew = create.data !== undefined;
  // They are shown this once: whoever listens to the page, or has just typed a code, is led there.
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
      <LoadProblem loading={count} />
      {create.isPending && left === 0 && <p role="status">{copy.making}</p>}
      {count.isPending && <Skeleton lines={1} />}
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
