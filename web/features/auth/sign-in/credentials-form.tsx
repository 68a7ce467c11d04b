import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FingerprintPattern } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, errorMessage } from "../../../lib/app-error.ts";
import { OTHER_BROWSER } from "../../../lib/auth/arrival-problem.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { emailDraft } from "../../../lib/auth/email-draft.ts";
import { knowsPasskeys } from "../../../lib/auth/knows-passkeys.ts";
import { passkeyCopy } from "../../../lib/auth/passkey.copy.ts";
import { tabMemory, UNSAVED_KEY } from "../../../lib/device-memory.ts";
import { useRestored } from "../../../lib/input/use-restored.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { DeploymentValue } from "../../../ui/deployment-value.tsx";
import { Choice } from "../../../ui/forms/choice.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { PasswordInput } from "../../../ui/forms/password-input.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { GoogleMark } from "../../../ui/google-mark.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { authCopy } from "../auth.copy.ts";
import { useGoogle, useSignIn, useSignUp } from "../auth.mutations.ts";
import type { Credentials, Method, Mode } from "../auth.schema.ts";
import { type Captcha, useCaptcha } from "../use-captcha.tsx";

type CredentialsFormProps = {
  mode: Mode;
  method: Method;
  /** Lives above the tabs, so that what was typed in one stays in the other. */
  form: UseFormReturn<Credentials>;
  target: string;
  confirmUrl: string;
  isConfirmed: boolean;
  onMethodChange: (method: Method) => void;
  /** A new account is ready to be used. */
  onSignUp: () => void;
  /** A confirmation is on its way. */
  onAwaited: () => void;
};

const METHODS = [
  { name: "email", label: authCopy.methods.email },
  { name: "phone", label: authCopy.methods.phone },
] as const;

/** One tab of `/auth`. What was typed stays when the platform refuses it. */
export function CredentialsForm(props: CredentialsFormProps) {
  const { mode, method, form, target, confirmUrl, isConfirmed } = props;
  const { config } = useApp();
  const captcha = useCaptcha();
  const signIn = useSignIn();
  const signUp = useSignUp(confirmUrl);
  const [isRobotUnproven, setIsRobotUnproven] = useState(false);
  const call = mode === "signup" ? signUp : signIn;

  const send = (values: Credentials) => {
    if (call.isPending) return;
    setIsRobotUnproven(captcha.missing() !== null);
    if (captcha.missing()) return;
    const attempt = { method, values, captchaToken: captcha.take() };
    if (mode === "signin") return signIn.mutate(attempt);
    props.onSignUp();
    signUp.mutate(attempt, {
      onSuccess: ({ isSignedIn }) => {
        if (!isSignedIn) props.onAwaited();
      },
    });
  };

  return (
    <div className="grid gap-6">
      <DeploymentValue entry="google" value={config.google}>
        {() => <GoogleButton target={target} />}
      </DeploymentValue>
      <DeploymentValue entry="phone" value={config.phone}>
        {() => (
          <Choice
            label={authCopy.methods.label}
            options={METHODS}
            current={method}
            onChange={props.onMethodChange}
          />
        )}
      </DeploymentValue>
      {/* Never by GET, also where no script takes it: an address must not hold a password. */}
      <form
        method="post"
        noValidate
        className="grid gap-5"
        onSubmit={form.handleSubmit(send, call.reset)}
      >
        <CredentialsProblem
          form={form}
          method={method}
          error={call.error}
          isRobotUnproven={isRobotUnproven}
          isConfirmed={isConfirmed}
          onConfirm={props.onAwaited}
        />
        <CredentialsFields mode={mode} method={method} form={form} />
        {captcha.widget}
        <Button type="submit" size="lg" busy={call.isPending} className="mt-1 w-full">
          {mode === "signup" ? authCopy.signUp.submit : authCopy.signIn.submit}
        </Button>
      </form>
      {mode === "signin" && (
        <>
          <ForgottenLink email={() => form.getValues("email")} />
          <PasskeyButton captcha={captcha} onRobotUnproven={setIsRobotUnproven} />
        </>
      )}
    </div>
  );
}

const copy = authCopy.fields;

type CredentialsFieldsProps = { mode: Mode; method: Method; form: UseFormReturn<Credentials> };

/** Fields to sign in and to sign up. Mistakes of blank ones are said together, above. */
function CredentialsFields({ mode, method, form }: CredentialsFieldsProps) {
  const { register, formState, getValues } = form;
  const { errors } = formState;
  const isNew = mode === "signup";
  /** The sentence of a field that holds something wrong; a blank one is only marked. */
  const ownError = (name: "email" | "phone" | "password") =>
    getValues(name).trim() ? errors[name]?.message : undefined;

  return (
    <>
      {isNew && (
        <Field label={copy.fullName} error={errors.fullName?.message}>
          {(control) => (
            <TextInput
              {...control}
              {...register("fullName")}
              autoComplete="name"
              autoCapitalize="words"
              spellCheck={false}
            />
          )}
        </Field>
      )}
      {method === "email" ? (
        <Field label={copy.email} error={ownError("email")} invalid={Boolean(errors.email)}>
          {(control) => (
            <TextInput
              {...control}
              {...register("email")}
              type="email"
              inputMode="email"
              autoComplete={isNew ? "email" : "username"}
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
            />
          )}
        </Field>
      ) : (
        <Field
          label={copy.phone}
          hint={copy.phoneHint}
          error={ownError("phone")}
          invalid={Boolean(errors.phone)}
        >
          {(control) => (
            <TextInput
              {...control}
              {...register("phone")}
              type="tel"
              inputMode="tel"
              autoComplete="tel"
            />
          )}
        </Field>
      )}
      <Field
        label={copy.password}
        hint={isNew ? copy.passwordHint : undefined}
        error={ownError("password")}
        invalid={Boolean(errors.password)}
      >
        {(control) => (
          <PasswordInput
            {...control}
            {...register("password")}
            autoComplete={isNew ? "new-password" : "current-password"}
          />
        )}
      </Field>
    </>
  );
}

type CredentialsProblemProps = {
  form: UseFormReturn<Credentials>;
  method: Method;
  /** Refusal by the platform. */
  error: Error | null;
  isRobotUnproven: boolean;
  isConfirmed: boolean;
  /** The address or number waits for its confirmation. */
  onConfirm: () => void;
};

const UNCONFIRMED = ["email_not_confirmed", "phone_not_confirmed"];

/** Problem above the form: missing fields, a refusal, or the reason to sign in. */
function CredentialsProblem(props: CredentialsProblemProps) {
  const { form, method, error, isRobotUnproven, onConfirm } = props;
  if (isBlank(form, method)) return <Alert>{authCopy.rules.requiredFields}</Alert>;
  if (isRobotUnproven) return <Alert>{authCopy.captcha.missing}</Alert>;
  if (!error) return <Reason isConfirmed={props.isConfirmed} />;
  const isUnconfirmed = error instanceof AppError && UNCONFIRMED.includes(error.code);
  return (
    <Alert>
      <p>
        {errorMessage(error, {
          ...authErrorsCopy,
          ...(method === "phone" && { invalid_credentials: authCopy.signIn.wrongPhone }),
        })}
      </p>
      {isUnconfirmed && (
        <Button variant="secondary" className="mt-3" onClick={onConfirm}>
          {method === "email" ? authCopy.verify.resend : authCopy.phoneCode.resend}
        </Button>
      )}
    </Alert>
  );
}

/** Whether the form was sent with a required field blank (specification, section 5). */
function isBlank({ formState, getValues }: UseFormReturn<Credentials>, method: Method): boolean {
  const { errors } = formState;
  const { password, ...known } = getValues();
  return Boolean((errors[method] && !known[method].trim()) || (errors.password && !password));
}

/** Why one is here, where there is a reason. */
function Reason({ isConfirmed }: { isConfirmed: boolean }) {
  const { auth } = useApp();
  const problem = auth.arrivalProblem();
  if (problem && auth.googleIntent()) return <Alert>{authCopy.google.failed}</Alert>;
  if (problem?.code === OTHER_BROWSER) {
    const { confirmedElsewhere, otherBrowser } = authCopy.arrival;
    return (
      <Notice tone={isConfirmed ? "done" : "info"}>
        {isConfirmed ? confirmedElsewhere : otherBrowser}
      </Notice>
    );
  }
  if (problem) {
    const words: Readonly<Record<string, string>> = authCopy.arrival.codes;
    return <Alert>{words[problem.code] ?? authCopy.arrival.failed}</Alert>;
  }
  if (!auth.hasEnded()) return null;
  return (
    <Notice>
      <p>{authCopy.ended}</p>
      {tabMemory.read(UNSAVED_KEY) && <p className="font-normal">{authCopy.unsaved}</p>}
    </Notice>
  );
}

/** To a new password, with the address that is typed already. */
function ForgottenLink({ email }: { email: () => string }) {
  return (
    <Link
      to="/auth/forgot-password"
      // Followed before its script is there, it would lose the address (`server/build/start-later.js`).
      data-held
      onClick={() => emailDraft.keep(email())}
      className="inline-flex min-h-11 items-center justify-self-center rounded-field px-2 font-semibold text-violet underline-offset-4 hover:underline"
    >
      {authCopy.signIn.forgotten}
    </Link>
  );
}

/** Signing in, or up, with Google. */
function GoogleButton({ target }: { target: string }) {
  const google = useGoogle(target);
  useRestored(google.reset);
  return (
    <div className="grid gap-4">
      {google.isError && <Alert>{authCopy.google.failed}</Alert>}
      <Button
        variant="secondary"
        size="lg"
        className="w-full"
        // Google's page follows: the button stays busy until then.
        busy={google.isPending || google.isSuccess}
        onClick={() => google.mutate()}
      >
        <GoogleMark />
        {authCopy.google.submit}
      </Button>
      <div className="flex items-center gap-4 text-sm text-muted">
        <span className="h-px flex-1 bg-line" />
        {authCopy.google.or}
        <span className="h-px flex-1 bg-line" />
      </div>
    </div>
  );
}

type PasskeyButtonProps = {
  captcha: Pick<Captcha, "missing" | "take">;
  onRobotUnproven: (isUnproven: boolean) => void;
};

const neverChanges = () => () => {};

/** Signing in with a passkey, where the browser can. */
function PasskeyButton({ captcha, onRobotUnproven }: PasskeyButtonProps) {
  const { supabase, auth } = useApp();
  // Prerendered at build, where no browser is known yet: a press is held until the script is there.
  const isKnown = useSyncExternalStore(neverChanges, knowsPasskeys, () => true);
  const signIn = useMutation({
    mutationFn: async (captchaToken: string | undefined) => {
      auth.forgetArrival();
      const { signInWithPasskey } = await import("../../../lib/auth/passkey-sign-in.ts");
      await signInWithPasskey(supabase, captchaToken);
    },
  });
  if (!isKnown) return null;
  return (
    <div className="grid gap-4">
      {signIn.error && <Alert>{errorMessage(signIn.error, passkeyCopy.problems)}</Alert>}
      <Button
        variant="secondary"
        size="lg"
        className="w-full"
        busy={signIn.isPending}
        onClick={() => {
          const isMissing = captcha.missing() !== null;
          onRobotUnproven(isMissing);
          if (!isMissing) signIn.mutate(captcha.take());
        }}
      >
        <FingerprintPattern aria-hidden="true" className="size-5" />
        {passkeyCopy.signIn}
      </Button>
    </div>
  );
}
