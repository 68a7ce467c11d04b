import { errorMessage } from "../../lib/app-error.ts";
import { authErrorsCopy } from "../../lib/auth/auth-errors.copy.ts";
import { errorsCopy } from "../../lib/errors.copy.ts";
import { Alert } from "../../ui/alert.tsx";
import { authCopy } from "./auth.copy.ts";

type ResendProblemProps = { error: Error | null; isUnproven: boolean; failed: string };

/** That sending again failed, and what to do about it where that is known. */
export function ResendProblem({ error, isUnproven, failed }: ResendProblemProps) {
  if (isUnproven) return <Alert>{authCopy.captcha.missing}</Alert>;
  if (!error) return null;
  const reason = errorMessage(error, authErrorsCopy);
  return (
    <Alert>
      <p>{failed}</p>
      {reason !== errorsCopy.unknown && <p className="font-normal">{reason}</p>}
    </Alert>
  );
}
