import { useState } from "react";
import { useForm } from "react-hook-form";
import { AppError, errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { useSession } from "../../../lib/auth/use-session.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Card } from "../card.tsx";
import { GoogleCard } from "../google-card.tsx";
import { PasskeysCard } from "../passkeys/passkeys-card.tsx";
import { securityCopy } from "../security.copy.ts";
import { useChangePassword, useReauthenticate } from "../security.mutations.ts";
import { SecurityFrame } from "../security-frame.tsx";
import { type PasswordValues, passwordResolver } from "./password.schema.ts";
import { PasswordFields } from "./password-fields.tsx";
import { ReauthenticationField } from "./reauthentication-field.tsx";

const copy = securityCopy.password;

const EMPTY: PasswordValues = { current: "", password: "", confirmation: "", nonce: "" };

/** `/settings/password`. */
export function PasswordPage() {
  const session = useSession();
  /** Who came by Google alone has none yet. */
  const hasPassword =
    session?.user.identities?.some(({ provider }) => provider !== "google") ?? true;
  const [isCodeNeeded, setIsCodeNeeded] = useState(false);
  const change = useChangePassword();
  const reauthenticate = useReauthenticate();
  const form = useForm<PasswordValues>({
    resolver: passwordResolver(hasPassword, isCodeNeeded),
    defaultValues: EMPTY,
    reValidateMode: "onSubmit",
  });

  const send = (values: PasswordValues) => {
    if (change.isPending) return;
    change.mutate(values, {
      onSuccess: () => {
        form.reset(EMPTY);
        setIsCodeNeeded(false);
      },
      onError: (error) => {
        if (!(error instanceof AppError) || error.code !== "reauthentication_needed") return;
        setIsCodeNeeded(true);
        reauthenticate.mutate();
      },
    });
  };
  const isBlank = Object.values(form.formState.errors).some(
    (error) => error?.message === copy.required,
  );
  const refusal = isCodeNeeded && isWaitingForCode(change.error) ? null : change.error;
  const problem = isBlank ? copy.required : refusal && errorMessage(refusal, authErrorsCopy);

  return (
    <SecurityFrame title={copy.title} text={hasPassword ? copy.text : copy.first}>
      <Card>
        <form
          noValidate
          className="grid max-w-sm gap-5"
          onSubmit={form.handleSubmit(send, change.reset)}
        >
          {problem && <Alert>{problem}</Alert>}
          {change.isSuccess && !problem && <Notice tone="done">{copy.done}</Notice>}
          <input
            type="text"
            value={session?.user.email ?? ""}
            autoComplete="username"
            readOnly
            hidden
          />
          <PasswordFields form={form} hasPassword={hasPassword} />
          {isCodeNeeded && <ReauthenticationField form={form} send={reauthenticate} />}
          <Button type="submit" size="lg" busy={change.isPending}>
            {copy.submit}
          </Button>
        </form>
      </Card>
      <PasskeysCard />
      <GoogleCard />
    </SecurityFrame>
  );
}

function isWaitingForCode(error: Error | null): boolean {
  return error instanceof AppError && error.code === "reauthentication_needed";
}
