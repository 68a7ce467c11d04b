import { useEffect } from "react";
import type { UseFormReturn } from "react-hook-form";
import { AppError, errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { RESEND_SECONDS, useCountdown } from "../../../lib/use-countdown.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { CodeInput } from "../../../ui/forms/code-input.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { securityCopy } from "../security.copy.ts";
import type { useReauthenticate } from "../security.mutations.ts";
import type { PasswordValues } from "./password.schema.ts";

const copy = securityCopy.password;

type ReauthenticationFieldProps = {
  form: UseFormReturn<PasswordValues>;
  send: ReturnType<typeof useReauthenticate>;
};

/** The code that the platform sends when the session is old. */
export function ReauthenticationField({ form, send }: ReauthenticationFieldProps) {
  const [left, pause] = useCountdown(RESEND_SECONDS);
  useEffect(() => form.setFocus("nonce"), [form.setFocus]);
  return (
    <div className="grid gap-3">
      <Field label={copy.nonce} hint={copy.nonceHint} error={form.formState.errors.nonce?.message}>
        {(control) => <CodeInput {...control} {...form.register("nonce")} />}
      </Field>
      {send.error && <Alert>{errorMessage(send.error, authErrorsCopy)}</Alert>}
      <Button
        variant="secondary"
        className="justify-self-start tabular-nums"
        busy={send.isPending}
        waiting={left > 0}
        onClick={() =>
          send.mutate(undefined, {
            onSuccess: () => pause(RESEND_SECONDS),
            onError: (error) => {
              if (error instanceof AppError && error.retryAfter) pause(error.retryAfter);
            },
          })
        }
      >
        {left > 0 ? copy.resendIn(left) : copy.resend}
      </Button>
    </div>
  );
}
