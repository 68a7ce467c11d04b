import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { CodeInput } from "../../../ui/forms/code-input.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { uiCopy } from "../../../ui/ui.copy.ts";
import { securityCopy } from "../security.copy.ts";
import { useVerifyFactor } from "../security.mutations.ts";

const copy = securityCopy.factors;

type FactorCodeProps = {
  factorId: string;
  /** Of the text message that was sent; applications need none. */
  challengeId?: string;
  hint: string;
  onDone: () => void;
  onCancel: () => void;
};

/** The first code of a new factor, which proves that it works. */
export function FactorCode({ factorId, challengeId, hint, onDone, onCancel }: FactorCodeProps) {
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const [isBlank, setIsBlank] = useState(false);
  const verify = useVerifyFactor();
  useEffect(() => field.current?.focus(), []);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsBlank(!code.trim());
    if (!code.trim() || verify.isPending) return;
    verify.mutate(
      { factorId, code, ...(challengeId && { challengeId }) },
      { onSuccess: onDone, onError: () => field.current?.select() },
    );
  };

  return (
    <form noValidate className="grid max-w-sm gap-5" onSubmit={submit}>
      {verify.error && <Alert>{errorMessage(verify.error, authErrorsCopy)}</Alert>}
      <Field label={copy.code} hint={hint} error={isBlank ? copy.codeRequired : undefined}>
        {(control) => (
          <CodeInput
            {...control}
            ref={field}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={verify.isPending}>
          {copy.activate}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {uiCopy.cancel}
        </Button>
      </div>
    </form>
  );
}
