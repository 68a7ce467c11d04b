import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { authCopy } from "../auth.copy.ts";
import { useGiveRecoveryCode } from "./second-factor.queries.ts";

const copy = authCopy.secondFactor;

/** A recovery code in place of a lost factor. */
export function RecoveryForm() {
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const [isBlank, setIsBlank] = useState(false);
  const give = useGiveRecoveryCode();
  useEffect(() => field.current?.focus(), []);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (give.isPending) return;
    setIsBlank(!code.trim());
    if (code.trim()) give.mutate(code);
  };

  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <p className="text-lg text-pretty text-muted">{copy.recovery}</p>
      {give.error && (
        <Alert>
          {errorMessage(give.error, {
            ...authErrorsCopy,
            recovery_code_refused: copy.recoveryRefused,
          })}
        </Alert>
      )}
      <Field label={copy.recoveryCode} error={isBlank ? copy.recoveryRequired : undefined}>
        {(control) => (
          <TextInput
            {...control}
            ref={field}
            value={code}
            onChange={(event) => setCode(event.target.value)}
            className="font-bold tracking-[0.06em] uppercase"
            autoComplete="off"
            autoCorrect="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
          />
        )}
      </Field>
      <Button type="submit" size="lg" busy={give.isPending} className="w-full">
        {copy.submit}
      </Button>
    </form>
  );
}
