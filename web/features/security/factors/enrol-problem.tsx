import { AppError, errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { useSignOut } from "../../../lib/auth/use-sign-out.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { securityCopy } from "../security.copy.ts";

const copy = securityCopy.factors;

type EnrolProblemProps = {
  error: Error | null;
  words?: Readonly<Record<string, string>>;
  /** That a sign-in of the last day is needed. */
  signInAgain?: string;
};

/** Why a factor or passkey cannot be added. That may need a sign-in of the last day: the way there and back is offered. */
export function EnrolProblem(props: EnrolProblemProps) {
  const { error, words = authErrorsCopy, signInAgain = copy.signInAgain } = props;
  const signOut = useSignOut();
  if (!error) return null;
  const isOld = error instanceof AppError && error.code === "recent_sign_in_needed";
  return (
    <Alert>
      <p>{isOld ? signInAgain : errorMessage(error, words)}</p>
      {isOld && (
        <Button
          variant="secondary"
          className="mt-3"
          busy={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          {copy.signInAgainAction}
        </Button>
      )}
    </Alert>
  );
}
