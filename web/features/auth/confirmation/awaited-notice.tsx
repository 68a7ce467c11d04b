import { lazyRouteComponent } from "@tanstack/react-router";
import { type SubmitEvent, Suspense, useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { errorsCopy } from "../../../lib/errors.copy.ts";
import { pauseAfter, RESEND_SECONDS, useCountdown } from "../../../lib/use-countdown.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { CodeInput } from "../../../ui/forms/code-input.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { authCopy } from "../auth.copy.ts";
import { useConfirmPhone, useResend } from "../auth.mutations.ts";
import type { Credentials, Method } from "../auth.schema.ts";
import { AuthLayout, MailboxLink } from "../auth-layout.tsx";
import { useCaptcha } from "../use-captcha.tsx";

const Nothing = () => null;

/** Apart, since few people meet it and everybody loads this page; without it the page does as well. */
const MisspeltAddress = lazyRouteComponent(
  () => import("./misspelt-address.tsx").catch(() => ({ MisspeltAddress: Nothing })),
  "MisspeltAddress",
);

type AwaitedProps = {
  /** Sign-up that waits for its confirmation. */
  values: Credentials;
  confirmUrl: string;
  /** Goes back to the form, with another address where one is given. */
  onBack: (email?: string) => void;
};

/** The confirmation is on its way, by mail or text message. */
export function AwaitedNotice({ method, ...awaited }: AwaitedProps & { method: Method }) {
  return method === "email" ? <MailNotice {...awaited} /> : <PhoneNotice {...awaited} />;
}

/** The confirmation mail is on its way (specification, section 2.8). */
function MailNotice({ values, confirmUrl, onBack }: AwaitedProps) {
  const copy = authCopy.verify;
  const { config } = useApp();
  const again = useSendingAgain("email", values, confirmUrl);
  return (
    <AuthLayout
      takesFocus
      title={copy.title}
      text={
        <p>
          {copy.sentTo} <strong className="wrap-anywhere text-ink">{values.email}</strong>.
        </p>
      }
    >
      <div className="grid gap-5">
        <Suspense>
          <MisspeltAddress address={values.email} onCorrect={onBack} />
        </Suspense>
        <p>{copy.next}</p>
        {config.mailbox && <MailboxLink>{copy.mailbox}</MailboxLink>}
        <Outcome of={again} failed={copy.resendFailed} done={copy.resent} />
        <p className="text-muted">{copy.spam}</p>
        <SendAgain again={again} words={copy} onBack={onBack} />
      </div>
    </AuthLayout>
  );
}

/** The text message with the confirmation code is on its way. */
function PhoneNotice({ values, confirmUrl, onBack }: AwaitedProps) {
  const copy = authCopy.phoneCode;
  const { config } = useApp();
  const [code, setCode] = useState("");
  const [isBlank, setIsBlank] = useState(false);
  const again = useSendingAgain("phone", values, confirmUrl);
  const confirm = useConfirmPhone(values);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsBlank(!code.trim());
    if (code.trim() && !confirm.isPending) confirm.mutate(code);
  };

  return (
    <AuthLayout
      takesFocus
      title={copy.title}
      text={
        <p>
          {copy.sentTo} <strong className="whitespace-nowrap text-ink">{values.phone}</strong>.
        </p>
      }
    >
      <form noValidate className="grid gap-5" onSubmit={submit}>
        {confirm.error && <Alert>{errorMessage(confirm.error, authErrorsCopy)}</Alert>}
        <Outcome of={again} failed={authErrorsCopy.sms_send_failed} done={copy.resent} />
        <Field label={copy.code} error={isBlank ? copy.codeRequired : undefined}>
          {(control) => (
            <CodeInput
              {...control}
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" size="lg" busy={confirm.isPending} className="w-full">
          {copy.submit}
        </Button>
        {config.mailbox && <MailboxLink>{copy.mailbox}</MailboxLink>}
        <SendAgain again={again} words={copy} onBack={onBack} />
      </form>
    </AuthLayout>
  );
}

type Again = ReturnType<typeof useSendingAgain>;

/** Sends a confirmation again, once the proof is given, and begins the pause before the next. */
function useSendingAgain(method: Method, values: Credentials, confirmUrl: string) {
  const captcha = useCaptcha();
  const [left, pause] = useCountdown(RESEND_SECONDS);
  const resend = useResend(confirmUrl);
  const [isUnproven, setIsUnproven] = useState(false);
  const send = () => {
    const isMissing = captcha.missing() !== null;
    setIsUnproven(isMissing);
    if (isMissing) return;
    resend.mutate({ method, values, captchaToken: captcha.take() }, pauseAfter(pause));
  };
  return { send, resend, isUnproven, left, widget: captcha.widget };
}

type OutcomeProps = { of: Again; failed: string; done: string };

/** That sending again succeeded, or failed and what to do about it where that is known. */
function Outcome({ of: { resend, isUnproven }, failed, done }: OutcomeProps) {
  const reason = resend.error && errorMessage(resend.error, authErrorsCopy);
  return (
    <>
      {isUnproven && <Alert>{authCopy.captcha.missing}</Alert>}
      {reason !== null && !isUnproven && (
        <Alert>
          <p>{failed}</p>
          {reason !== errorsCopy.unknown && <p className="font-normal">{reason}</p>}
        </Alert>
      )}
      {resend.isSuccess && <Notice tone="done">{done}</Notice>}
    </>
  );
}

type SendAgainProps = {
  again: Again;
  words: { resend: string; resendIn: (seconds: number) => string; back: string };
  onBack: () => void;
};

/** The ways on while nothing arrives: another one, or back to the form. */
function SendAgain({ again, words, onBack }: SendAgainProps) {
  const { left, resend, widget } = again;
  return (
    <>
      {left === 0 && widget}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          className="tabular-nums"
          busy={resend.isPending}
          waiting={left > 0}
          onClick={again.send}
        >
          {left > 0 ? words.resendIn(left) : words.resend}
        </Button>
        <Button variant="quiet" onClick={() => onBack()}>
          {words.back}
        </Button>
      </div>
    </>
  );
}
