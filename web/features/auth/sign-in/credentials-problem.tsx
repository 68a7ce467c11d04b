import type { UseFormReturn } from "react-hook-form";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, errorMessage } from "../../../lib/app-error.ts";
import { OTHER_BROWSER } from "../../../lib/auth/arrival-problem.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { tabMemory, UNSAVED_KEY } from "../../../lib/device-memory.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { authCopy } from "../auth.copy.ts";
import type { Credentials, Method } from "../auth.schema.ts";

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
