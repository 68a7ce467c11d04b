import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useEffect, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { newPasswordTwice } from "#domain/rules/account.ts";
import { AppError, errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { useSession } from "../../../lib/auth/use-session.ts";
import { pauseAfter, RESEND_SECONDS, useCountdown } from "../../../lib/use-countdown.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { CodeInput } from "../../../ui/forms/code-input.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { PasswordInput } from "../../../ui/forms/password-input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { GoogleCard } from "../google-card.tsx";
import { PasskeysCard } from "../passkeys/passkeys-card.tsx";
import { securityCopy } from "../security.copy.ts";
import { useChangePassword, useReauthenticate } from "../security.mutations.ts";
import { Card, SecurityFrame } from "../security-frame.tsx";

const copy = securityCopy.password;

/** Fields of a change of password; `nonce` is the code that the platform sends when it doubts. */
type PasswordValues = {
  current: string;
  password: string;
  confirmation: string;
  nonce: string;
};

/** Checks the form, with the fields that are asked for. */
function passwordResolver(hasPassword: boolean, isCodeNeeded: boolean) {
  const present = (message: string) => z.string().check(z.minLength(1, message));
  const proofs = z.object({
    current: hasPassword ? present(copy.required) : z.string(),
    nonce: isCodeNeeded ? present(copy.nonceRequired) : z.string(),
  });
  return standardSchemaResolver(z.intersection(proofs, newPasswordTwice(copy.required)));
}

const EMPTY: PasswordValues = { current: "", password: "", confirmation: "", nonce: "" };

/** `/settings/password`. */
export function PasswordPage() {
  const session = useSession();
  /** Accounts that came by Google alone have none yet. */
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

type PasswordFieldsProps = { form: UseFormReturn<PasswordValues>; hasPassword: boolean };

/** Current password, and the new one, twice. */
function PasswordFields({ form, hasPassword }: PasswordFieldsProps) {
  const { register, formState } = form;
  const field = (name: "current" | "password" | "confirmation") => {
    const message = formState.errors[name]?.message;
    return {
      // Blank fields are reported together, above.
      error: message === copy.required ? undefined : message,
      invalid: message !== undefined,
    };
  };
  return (
    <>
      {hasPassword && (
        <Field label={copy.current} {...field("current")}>
          {(control) => (
            <PasswordInput {...control} {...register("current")} autoComplete="current-password" />
          )}
        </Field>
      )}
      <Field label={copy.next} hint={copy.nextHint} {...field("password")}>
        {(control) => (
          <PasswordInput {...control} {...register("password")} autoComplete="new-password" />
        )}
      </Field>
      <Field label={copy.confirmation} {...field("confirmation")}>
        {(control) => (
          <PasswordInput {...control} {...register("confirmation")} autoComplete="new-password" />
        )}
      </Field>
    </>
  );
}

type ReauthenticationFieldProps = {
  form: UseFormReturn<PasswordValues>;
  send: ReturnType<typeof useReauthenticate>;
};

/** The code that the platform sends when the session is old. */
function ReauthenticationField({ form, send }: ReauthenticationFieldProps) {
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
        onClick={() => send.mutate(undefined, pauseAfter(pause))}
      >
        {left > 0 ? copy.resendIn(left) : copy.resend}
      </Button>
    </div>
  );
}
