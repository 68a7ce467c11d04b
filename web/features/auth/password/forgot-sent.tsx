import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { Notice } from "../../../ui/notice.tsx";
import { authCopy } from "../auth.copy.ts";
import { AuthLayout } from "../auth-layout.tsx";
import { MailboxLink } from "../mailbox-link.tsx";

const copy = authCopy.forgot;

type ForgotSentProps = {
  /** Success of the second request. */
  isAgain: boolean;
  /** Seconds until it may be asked for again. */
  left: number;
  problem: string | null;
  isPending: boolean;
  captcha: ReactNode;
  onAgain: () => void;
};

/** The same words for an address with an account and for one without. */
export function ForgotSent(props: ForgotSentProps) {
  const { isAgain, left, problem, isPending, captcha, onAgain } = props;
  const { config } = useApp();
  return (
    <AuthLayout title={copy.sentTitle} text={<p role="status">{copy.sent}</p>}>
      <div className="grid gap-5">
        <p>{copy.sentHere}</p>
        {config.mailbox && <MailboxLink>{authCopy.verify.mailbox}</MailboxLink>}
        {problem && <Alert>{problem}</Alert>}
        {isAgain && !problem && <Notice tone="done">{copy.resent}</Notice>}
        {left === 0 && captcha}
        <div className="flex flex-wrap gap-3">
          <Button
            variant="secondary"
            className="tabular-nums"
            busy={isPending}
            waiting={left > 0}
            onClick={onAgain}
          >
            {left > 0 ? copy.againIn(left) : copy.again}
          </Button>
          <Link to="/auth" className={buttonClass({ variant: "quiet" })}>
            {copy.back}
          </Link>
        </div>
      </div>
    </AuthLayout>
  );
}
