import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useApp } from "../../lib/app-context.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Known } from "../../ui/known.tsx";
import { authCopy } from "./auth.copy.ts";
import { useSignIn, useSignUp } from "./auth.mutations.ts";
import type { Credentials, Method, Mode } from "./auth.schema.ts";
import { CredentialsFields } from "./credentials-fields.tsx";
import { CredentialsProblem } from "./credentials-problem.tsx";
import { ForgottenLink } from "./forgotten-link.tsx";
import { GoogleButton } from "./google-button.tsx";
import { useCaptcha } from "./use-captcha.tsx";

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
      <Known entry="google" value={config.google}>
        {() => <GoogleButton target={target} />}
      </Known>
      <Known entry="phone" value={config.phone}>
        {() => (
          <Choice
            label={authCopy.methods.label}
            options={METHODS}
            current={method}
            onChange={props.onMethodChange}
          />
        )}
      </Known>
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
      {mode === "signin" && <ForgottenLink email={() => form.getValues("email")} />}
    </div>
  );
}
