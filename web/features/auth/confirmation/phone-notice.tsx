import { type SubmitEvent, useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { RESEND_SECONDS, useCountdown } from "../../../lib/use-countdown.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { CodeInput } from "../../../ui/forms/code-input.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { authCopy } from "../auth.copy.ts";
import { useConfirmPhone, useResend } from "../auth.mutations.ts";
import { AuthLayout } from "../auth-layout.tsx";
import { useCaptcha } from "../captcha/use-captcha.tsx";
import { MailboxLink } from "../mailbox-link.tsx";
import { ResendProblem } from "../resend-problem.tsx";
import { useResending } from "../use-resending.ts";
import type { AwaitedProps } from "./verify-notice.tsx";

const copy = authCopy.phoneCode;

/** The text message with the confirmation code is on its way. */
export function PhoneNotice({ values, confirmUrl, onBack }: AwaitedProps) {
  const { config } = useApp();
  const captcha = useCaptcha();
  const [code, setCode] = useState("");
  const [isBlank, setIsBlank] = useState(false);
  const [left, pause] = useCountdown(RESEND_SECONDS);
  const resend = useResend(confirmUrl);
  const confirm = useConfirmPhone(values);
  const { send, isUnproven } = useResending(resend, captcha, pause);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsBlank(!code.trim());
    if (code.trim() && !confirm.isPending) confirm.mutate(code);
  };

  return (
    <AuthLayout
      title={copy.title}
      text={
        <p>
          {copy.sentTo} <strong className="whitespace-nowrap text-ink">{values.phone}</strong>.
        </p>
      }
    >
      <form noValidate className="grid gap-5" onSubmit={submit}>
        {confirm.error && <Alert>{errorMessage(confirm.error, authErrorsCopy)}</Alert>}
        <ResendProblem
          error={resend.error}
          isUnproven={isUnproven}
          failed={authErrorsCopy.sms_send_failed}
        />
        {resend.isSuccess && <Notice tone="done">{copy.resent}</Notice>}
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
        {left === 0 && captcha.widget}
        <div className="flex flex-wrap gap-3">
          <Button
            variant="secondary"
            className="tabular-nums"
            busy={resend.isPending}
            waiting={left > 0}
            onClick={() => send({ method: "phone", values })}
          >
            {left > 0 ? copy.resendIn(left) : copy.resend}
          </Button>
          <Button variant="quiet" onClick={onBack}>
            {copy.back}
          </Button>
        </div>
      </form>
    </AuthLayout>
  );
}
