import type { UseFormReturn } from "react-hook-form";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, errorMessage } from "../../../lib/app-error.ts";
import { OTHER_BROWSER } from "../../../lib/auth/arrival-problem.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { tabMemory, UNSAVED_KEY } from "../../../lib/device-memory.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { PasswordInput } from "../../../ui/forms/password-input.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { authCopy } from "../auth.copy.ts";
import type { Credentials, Method, Mode } from "../auth.schema.ts";

const copy = authCopy.fields;

type CredentialsFieldsProps = { mode: Mode; method: Method; form: UseFormReturn<Credentials> };

/** Fields to sign in and to sign up. Mistakes of blank ones are said together, above. */
export function CredentialsFields({ mode, method, form }: CredentialsFieldsProps) {
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
export function CredentialsProblem(props: CredentialsProblemProps) {
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
  if (problem && auth.googleErrand()) return <Alert>{authCopy.google.failed}</Alert>;
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
