import { useQuery } from "@tanstack/react-query";
import { lazyRouteComponent } from "@tanstack/react-router";
import { FingerprintPattern } from "lucide-react";
import { type SubmitEvent, Suspense, useEffect, useRef, useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { knowsPasskeys } from "../../../lib/auth/knows-passkeys.ts";
import { passkeyCopy } from "../../../lib/auth/passkey.copy.ts";
import { useSession } from "../../../lib/auth/use-session.ts";
import { phoneEnding } from "../../../lib/phone-number.ts";
import { pauseAfter, useCountdown } from "../../../lib/use-countdown.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { CodeInput } from "../../../ui/forms/code-input.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { PasswordInput } from "../../../ui/forms/password-input.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { SegmentSpinner } from "../../../ui/states/segment-spinner.tsx";
import { secondFactorsQuery } from "../second-factor/second-factor.queries.ts";
import { useCaptcha } from "../use-captcha.tsx";
import { proofCopy as copy } from "./proof.copy.ts";
import {
  type Contact,
  type OnProven,
  OTHER_ACCOUNT,
  useProofByCode,
  useProofByPasskey,
  useProofByPassword,
  useSendProofCode,
} from "./proof.mutations.ts";

/** Few have a second factor. */
const FactorForm = lazyRouteComponent(
  () => import("../second-factor/factor-form.tsx"),
  "FactorForm",
);

type ProveIdentityProps = {
  /** Label of the button, which acts once it is proven. */
  action: string;
  /** Whether the account has passkeys. */
  hasPasskeys: boolean;
  onProven: OnProven;
};

/** The proof that it is oneself, before what cannot be taken back: the second factor, else a way to sign in. */
export function ProveIdentity({ action, hasPasskeys, onProven }: ProveIdentityProps) {
  const { supabase } = useApp();
  const user = useSession()?.user;
  const factors = useQuery(secondFactorsQuery(supabase, user?.id ?? ""));
  if (factors.isPending || !user) return <SegmentSpinner className="size-8" />;
  if (factors.isError) {
    return (
      <LoadProblem
        text={errorMessage(factors.error, authErrorsCopy)}
        onRetry={() => factors.refetch()}
        isRetrying={factors.isFetching}
      />
    );
  }
  if (factors.data.factors.length > 0) {
    return (
      <Suspense>
        <FactorForm
          factors={factors.data.factors}
          onGiven={async () => {
            await onProven(supabase);
          }}
        />
      </Suspense>
    );
  }
  // Accounts that came by Google alone have no password.
  const hasPassword = user.identities?.some(({ provider }) => provider !== "google") ?? true;
  const contact = user.email ? { email: user.email } : { phone: user.phone ?? "" };
  return (
    <SignInAgain
      action={action}
      hasPasskeys={hasPasskeys}
      hasPassword={hasPassword}
      contact={contact}
      onProven={onProven}
    />
  );
}

type SignInAgainProps = ProveIdentityProps & { hasPassword: boolean; contact: Contact };

/** By the password, by a code of a message, or by a passkey. */
function SignInAgain(props: SignInAgainProps) {
  const { hasPassword, hasPasskeys, onProven } = props;
  const [way, setWay] = useState<"password" | "code">(hasPassword ? "password" : "code");
  const captcha = useCaptcha();
  const byPasskey = useProofByPasskey(onProven);
  const [isRobot, setIsRobot] = useState(false);
  /** The proof that one is no robot, for one call; null while it is missing. */
  const takeProof = () => {
    const isMissing = captcha.missing() !== null;
    setIsRobot(isMissing);
    return isMissing ? null : { captchaToken: captcha.take() };
  };
  const passkeyProblem =
    byPasskey.error &&
    errorMessage(byPasskey.error, { ...passkeyCopy.problems, [OTHER_ACCOUNT]: copy.otherAccount });
  return (
    <div className="grid gap-4">
      {isRobot && captcha.missing() && <Alert>{captcha.missing()}</Alert>}
      {way === "password" ? (
        <PasswordForm {...props} takeProof={takeProof} />
      ) : (
        <CodeForm {...props} takeProof={takeProof} />
      )}
      {captcha.widget}
      {passkeyProblem && <Alert>{passkeyProblem}</Alert>}
      <div className="flex flex-wrap gap-x-4">
        {hasPassword && (
          <Button
            variant="quiet"
            className="-ml-4"
            onClick={() => setWay(way === "password" ? "code" : "password")}
          >
            {way === "password" ? copy.byCode : copy.byPassword}
          </Button>
        )}
        {hasPasskeys && knowsPasskeys() && (
          <Button
            variant="quiet"
            className="-ml-4"
            busy={byPasskey.isPending}
            onClick={() => {
              const taken = takeProof();
              if (taken) byPasskey.mutate(taken.captchaToken);
            }}
          >
            <FingerprintPattern aria-hidden="true" className="size-5" />
            {copy.byPasskey}
          </Button>
        )}
      </div>
    </div>
  );
}

type WayProps = SignInAgainProps & {
  takeProof: () => { captchaToken: string | undefined } | null;
};

function PasswordForm({ action, contact, onProven, takeProof }: WayProps) {
  const field = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState("");
  const [isBlank, setIsBlank] = useState(false);
  const prove = useProofByPassword(onProven);
  const isWrong = prove.error instanceof AppError && prove.error.code === "invalid_credentials";
  useEffect(() => {
    if (isWrong) field.current?.select();
  }, [isWrong]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (prove.isPending) return;
    setIsBlank(password === "");
    if (password === "") return field.current?.focus();
    const taken = takeProof();
    if (taken) prove.mutate({ contact, password, ...taken });
  };
  const mistake = isBlank ? copy.passwordRequired : isWrong ? copy.passwordWrong : undefined;
  return (
    <form noValidate method="post" className="grid gap-4" onSubmit={submit}>
      <input
        type="text"
        value={"email" in contact ? contact.email : contact.phone}
        autoComplete="username"
        readOnly
        hidden
      />
      <Field label={copy.password} error={mistake}>
        {(control) => (
          <PasswordInput
            {...control}
            ref={field}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            autoComplete="current-password"
          />
        )}
      </Field>
      {prove.error && !isWrong && <Alert>{errorMessage(prove.error, authErrorsCopy)}</Alert>}
      <Button type="submit" size="lg" busy={prove.isPending} className="w-full">
        {action}
      </Button>
    </form>
  );
}

function CodeForm({ action, contact, onProven, takeProof }: WayProps) {
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const [isBlank, setIsBlank] = useState(false);
  const [left, pause] = useCountdown();
  const send = useSendProofCode();
  const prove = useProofByCode(onProven);
  const { isSuccess: isSent } = send;
  useEffect(() => {
    if (isSent) field.current?.focus();
  }, [isSent]);
  useEffect(() => {
    if (prove.isError) field.current?.select();
  }, [prove.isError]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (prove.isPending) return;
    setIsBlank(!code.trim());
    if (code.trim()) prove.mutate({ contact, code });
    else field.current?.focus();
  };
  const request = () => {
    const taken = takeProof();
    if (taken) send.mutate({ contact, ...taken }, pauseAfter(pause));
  };
  const first =
    "email" in contact ? copy.sendMail(contact.email) : copy.sendSms(phoneEnding(contact.phone));
  const problem = prove.error ?? send.error;
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      {isSent && (
        <>
          <p role="status" className="text-pretty text-muted">
            {copy.sent}
          </p>
          <Field label={copy.code} error={isBlank ? copy.codeRequired : undefined}>
            {(control) => (
              <CodeInput
                {...control}
                ref={field}
                value={code}
                onChange={(event) => setCode(event.target.value)}
              />
            )}
          </Field>
        </>
      )}
      {problem && <Alert>{errorMessage(problem, authErrorsCopy)}</Alert>}
      {isSent && (
        <Button type="submit" size="lg" busy={prove.isPending} className="w-full">
          {action}
        </Button>
      )}
      <Button
        variant="secondary"
        className="max-w-full wrap-anywhere tabular-nums"
        busy={send.isPending}
        waiting={left > 0}
        onClick={request}
      >
        {left > 0 ? copy.resendIn(left) : isSent ? copy.resend : first}
      </Button>
    </form>
  );
}
