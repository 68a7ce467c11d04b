import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, errorMessage } from "../../../lib/app-error.ts";
import { OTHER_BROWSER } from "../../../lib/auth/arrival-problem.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { emailDraft } from "../../../lib/auth/email-draft.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { RESEND_SECONDS, useCountdown } from "../../../lib/use-countdown.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { authCopy } from "../auth.copy.ts";
import { useForgotPassword } from "../auth.mutations.ts";
import { forgotSchema } from "../auth.schema.ts";
import { AuthLayout, MailboxLink } from "../auth-layout.tsx";
import { useCaptcha } from "../use-captcha.tsx";

const copy = authCopy.forgot;

/** `/auth/forgot-password`: asks for a link. It never reveals whether the account exists. */
export function ForgotPasswordPage() {
  const { auth } = useApp();
  const captcha = useCaptcha();
  const forgot = useForgotPassword();
  const [left, pause] = useCountdown();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [timesSent, setTimesSent] = useState(0);
  const [isUnproven, setIsUnproven] = useState(false);
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(forgotSchema),
    defaultValues: { email: emailDraft.read() },
    reValidateMode: "onSubmit",
  });
  usePageTitle(sentTo === null ? copy.title : copy.sentTitle);

  const send = ({ email }: { email: string }) => {
    if (forgot.isPending) return;
    const isMissing = captcha.missing() !== null;
    setIsUnproven(isMissing);
    if (isMissing) return;
    emailDraft.keep(email);
    const captchaToken = captcha.take();
    forgot.mutate(
      { email, ...(captchaToken && { captchaToken }) },
      {
        onSuccess: () => {
          setSentTo(email);
          setTimesSent((times) => times + 1);
          pause(RESEND_SECONDS);
        },
        onError: (error) => {
          if (error instanceof AppError && error.retryAfter) pause(error.retryAfter);
        },
      },
    );
  };
  const problem = isUnproven
    ? authCopy.captcha.missing
    : forgot.error && errorMessage(forgot.error, authErrorsCopy);

  if (sentTo !== null) {
    return (
      <ForgotSent
        isAgain={timesSent > 1}
        left={left}
        problem={problem}
        isPending={forgot.isPending}
        captcha={captcha.widget}
        onAgain={() => send({ email: sentTo })}
      />
    );
  }

  const error = formState.errors.email?.message;
  const isBlank = error === copy.emailRequired;
  const cameElsewhere = auth.arrivalProblem()?.code === OTHER_BROWSER;
  return (
    <AuthLayout title={copy.title} text={copy.text}>
      <form noValidate className="grid gap-5" onSubmit={handleSubmit(send, forgot.reset)}>
        {(isBlank || problem) && <Alert>{isBlank ? error : problem}</Alert>}
        {!isBlank && !problem && cameElsewhere && <Notice>{authCopy.arrival.otherBrowser}</Notice>}
        <Field
          label={authCopy.fields.email}
          error={isBlank ? undefined : error}
          invalid={Boolean(error)}
        >
          {(control) => (
            <TextInput
              {...control}
              {...register("email")}
              type="email"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
            />
          )}
        </Field>
        {captcha.widget}
        <Button type="submit" size="lg" busy={forgot.isPending} className="w-full">
          {copy.submit}
        </Button>
      </form>
      <BackLink />
    </AuthLayout>
  );
}

function BackLink() {
  return (
    <Link
      to="/auth"
      className="inline-flex min-h-11 items-center justify-self-center rounded-field px-2 font-semibold text-violet underline-offset-4 hover:underline"
    >
      {copy.back}
    </Link>
  );
}

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
function ForgotSent(props: ForgotSentProps) {
  const { isAgain, left, problem, isPending, captcha, onAgain } = props;
  const { config } = useApp();
  return (
    <AuthLayout takesFocus title={copy.sentTitle} text={<p role="status">{copy.sent}</p>}>
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
