import { useApp } from "../../../lib/app-context.ts";
import { RESEND_SECONDS, useCountdown } from "../../../lib/use-countdown.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { authCopy } from "../auth.copy.ts";
import { useResend } from "../auth.mutations.ts";
import type { Credentials } from "../auth.schema.ts";
import { AuthLayout } from "../auth-layout.tsx";
import { useCaptcha } from "../captcha/use-captcha.tsx";
import { MailboxLink } from "../mailbox-link.tsx";
import { ResendProblem } from "../resend-problem.tsx";
import { useResending } from "../use-resending.ts";

const copy = authCopy.verify;

/** Sign-up that waits for its confirmation, and how to go back. */
export type AwaitedProps = { values: Credentials; confirmUrl: string; onBack: () => void };

/** The confirmation mail is on its way (specification, section 2.8). */
export function VerifyNotice({ values, confirmUrl, onBack }: AwaitedProps) {
  const { config } = useApp();
  const captcha = useCaptcha();
  const [left, pause] = useCountdown(RESEND_SECONDS);
  const resend = useResend(confirmUrl);
  const { send, isUnproven } = useResending(resend, captcha, pause);

  return (
    <AuthLayout
      title={copy.title}
      text={
        <p>
          {copy.sentTo} <strong className="wrap-anywhere text-ink">{values.email}</strong>.
        </p>
      }
    >
      <div className="grid gap-5">
        <p>{copy.next}</p>
        {config.mailbox && <MailboxLink>{copy.mailbox}</MailboxLink>}
        <ResendProblem error={resend.error} isUnproven={isUnproven} failed={copy.resendFailed} />
        {resend.isSuccess && <Notice tone="done">{copy.resent}</Notice>}
        <p className="text-muted">{copy.spam}</p>
        {left === 0 && captcha.widget}
        <div className="flex flex-wrap gap-3">
          <Button
            variant="secondary"
            className="tabular-nums"
            busy={resend.isPending}
            waiting={left > 0}
            onClick={() => send({ method: "email", values })}
          >
            {left > 0 ? copy.resendIn(left) : copy.resend}
          </Button>
          <Button variant="quiet" onClick={onBack}>
            {copy.back}
          </Button>
        </div>
      </div>
    </AuthLayout>
  );
}
