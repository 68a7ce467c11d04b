import { type SubmitEvent, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { QrCode } from "../../../ui/qr-code.tsx";
import { uiCopy } from "../../../ui/ui.copy.ts";
import { Card } from "../card.tsx";
import { securityCopy } from "../security.copy.ts";
import { useEnrolTotp } from "../security.mutations.ts";
import type { Factor } from "../security.queries.ts";
import { EnrolProblem } from "./enrol-problem.tsx";
import { FactorCode } from "./factor-code.tsx";
import { NameField } from "./name-field.tsx";

const copy = securityCopy.factors;

export type EnrolProps = {
  /** The factors that are there already, finished or not. */
  factors: readonly Factor[];
  /** Whether this factor turns the second step on: recovery codes follow. */
  isFirst: boolean;
  onDone: () => void;
  onCancel: () => void;
};

/** Adds an authenticator application: a name, then its key, then the first code. */
export function EnrolTotp({ factors, isFirst, onDone, onCancel }: EnrolProps) {
  const [name, setName] = useState<string>(copy.totpName);
  const [isBlank, setIsBlank] = useState(false);
  const enrol = useEnrolTotp();

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsBlank(!name.trim());
    if (name.trim() && !enrol.isPending) enrol.mutate({ name: name.trim(), factors });
  };

  return (
    <Card>
      <h2 className="text-xl">{copy.totpTitle}</h2>
      {enrol.data ? (
        <>
          <Key secret={enrol.data.secret} uri={enrol.data.uri} />
          <FactorCode
            factorId={enrol.data.factorId}
            hint={copy.codeHint}
            onDone={onDone}
            onCancel={onCancel}
          />
        </>
      ) : (
        <form noValidate className="grid max-w-sm gap-5" onSubmit={submit}>
          <p className="text-pretty text-muted">{copy.totpIntro}</p>
          {isFirst && <p className="text-pretty text-muted">{copy.codesFollow}</p>}
          <EnrolProblem error={enrol.error} />
          <NameField value={name} isBlank={isBlank} onChange={setName} />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={enrol.isPending}>
              {copy.next}
            </Button>
            <Button variant="quiet" onClick={onCancel}>
              {uiCopy.cancel}
            </Button>
          </div>
        </form>
      )}
    </Card>
  );
}

/** The secret of a new factor: for a camera, for an application on this device, and as letters. */
function Key({ secret, uri }: { secret: string; uri: string }) {
  return (
    <div className="grid gap-5 sm:grid-cols-[auto_1fr] sm:items-center sm:gap-7">
      <QrCode
        text={uri}
        label={copy.qr}
        className="size-48 justify-self-center rounded-field border border-line"
      />
      <div className="grid gap-4">
        <p className="text-lg">{copy.scan}</p>
        <a
          href={uri}
          className="inline-flex min-h-11 items-center justify-self-start font-semibold text-violet underline-offset-4 hover:underline sm:hidden"
        >
          {copy.openHere}
        </a>
        <p className="text-muted">{copy.secret}</p>
        <p className="font-bold tracking-[0.08em] break-all tabular-nums select-all">
          {secret.match(/.{1,4}/g)?.join(" ")}
        </p>
        <div>
          <CopyButton text={secret} label={copy.copySecret} copied={copy.copied} />
        </div>
      </div>
    </div>
  );
}
